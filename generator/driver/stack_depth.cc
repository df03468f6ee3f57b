#include "generator/driver/stack_depth.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace lathe::driver {
namespace {

bool StartsName(char c) { return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool InName(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The names in `line` with a parenthesis behind them.
std::vector<std::string> CalledIn(absl::string_view line) {
  std::vector<std::string> names;
  for (size_t at = 0; at < line.size(); ++at) {
    if (!StartsName(line[at])) continue;
    size_t end = at;
    while (end < line.size() && InName(line[end])) ++end;
    if (end < line.size() && line[end] == '(') names.emplace_back(line.substr(at, end - at));
    at = end;
  }
  return names;
}

// Words with a parenthesis behind them that are no functions.
bool IsKeyword(const std::string& name) {
  return name == "if" || name == "for" || name == "while" || name == "return" || name == "sizeof" ||
         name == "switch" || name == "defined" || name == "isnan" || name == "isinf" ||
         name == "isfinite" || std::all_of(name.begin(), name.end(), [](char c) {
           return !absl::ascii_islower(static_cast<unsigned char>(c));
         });
}

class Deepest {
 public:
  Deepest(const std::map<std::string, FunctionStack>& functions,
          const std::map<std::string, std::set<std::string>>& calls, StackDepth& depth)
      : functions_(functions), calls_(calls), depth_(depth) {}

  struct Below {
    int64_t bytes = 0;
    std::string next;  // the deepest callee
    bool bounded = true;
  };

  const Below& At(const std::string& name) {
    const auto [it, is_new] = done_.try_emplace(name);
    Below& below = it->second;
    if (!is_new) {
      if (open_.count(name) > 0) below.bounded = false;
      return below;
    }
    open_.insert(name);
    const auto own = functions_.find(name);
    // What the compiler put into its callers has no frame of its own.
    const int64_t bytes = own == functions_.end() ? 0 : own->second.bytes;
    bool bounded = own == functions_.end() || own->second.bounded;
    int64_t most = 0;
    std::string next;
    if (const auto callees = calls_.find(name); callees != calls_.end()) {
      for (const std::string& callee : callees->second) {
        if (calls_.count(callee) == 0) {
          if (functions_.count(callee) == 0) depth_.unmeasured.insert(callee);
          continue;
        }
        const Below& inner = At(callee);
        if (!inner.bounded && bounded) next = callee;
        if (inner.bounded && bounded && inner.bytes > most) {
          most = inner.bytes;
          next = callee;
        }
        bounded = bounded && inner.bounded;
      }
    }
    open_.erase(name);
    below = {bytes + most, next, bounded && below.bounded};
    return below;
  }

 private:
  const std::map<std::string, FunctionStack>& functions_;
  const std::map<std::string, std::set<std::string>>& calls_;
  StackDepth& depth_;
  std::map<std::string, Below> done_;
  std::set<std::string> open_;
};

}  // namespace

void ReadStackUsage(absl::string_view text, std::map<std::string, FunctionStack>& functions) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> fields = absl::StrSplit(line, '\t');
    int64_t bytes = 0;
    if (fields.size() < 3 || !absl::SimpleAtoi(fields[1], &bytes)) continue;
    const size_t colon = fields[0].rfind(':');
    const std::string name(colon == absl::string_view::npos ? fields[0]
                                                            : fields[0].substr(colon + 1));
    FunctionStack& function = functions[name];
    function.bytes = std::max(function.bytes, bytes);
    // "dynamic,bounded" is bounded.
    if (absl::StrContains(fields[2], "dynamic") && !absl::StrContains(fields[2], "bounded")) {
      function.bounded = false;
    }
  }
}

void ReadCalls(absl::string_view source, std::map<std::string, std::set<std::string>>& calls) {
  std::set<std::string>* inside = nullptr;
  bool comment = false;
  std::string head;  // a signature may take several lines
  for (absl::string_view line : absl::StrSplit(source, '\n')) {
    const bool starts_comment = absl::StartsWith(absl::StripLeadingAsciiWhitespace(line), "/*");
    if (comment || starts_comment) {
      comment = !absl::StrContains(line, "*/");
      continue;
    }
    if (inside == nullptr) {
      if (line.empty() || line[0] == '#' || absl::EndsWith(line, ";")) {
        head.clear();
        continue;
      }
      head.append(line.data(), line.size());
      const size_t brace = head.find('{');
      const std::vector<std::string> names = CalledIn(head.substr(0, brace));
      if (brace == std::string::npos) continue;
      if (!names.empty()) {
        inside = &calls[names[0]];
        for (const std::string& name : CalledIn(head.substr(brace))) {
          if (!IsKeyword(name)) inside->insert(name);
        }
      }
      head.clear();
      if (absl::EndsWith(line, "}")) inside = nullptr;
      continue;
    }
    if (line == "}") {
      inside = nullptr;
      continue;
    }
    for (const std::string& name : CalledIn(line)) {
      if (!IsKeyword(name)) inside->insert(name);
    }
  }
}

StackDepth FindStackDepth(const std::map<std::string, FunctionStack>& functions,
                          const std::map<std::string, std::set<std::string>>& calls,
                          absl::Span<const std::string> entries) {
  StackDepth depth;
  Deepest deepest(functions, calls, depth);
  std::string top;
  bool bounded = true;
  int64_t most = -1;
  for (const std::string& entry : entries) {
    const Deepest::Below& below = deepest.At(entry);
    if (bounded && (!below.bounded || below.bytes > most)) {
      top = entry;
      most = below.bytes;
      bounded = below.bounded;
    }
  }
  if (bounded && most >= 0) depth.bytes = most;
  std::set<std::string> seen;
  for (std::string name = top; !name.empty(); name = deepest.At(name).next) {
    depth.path.push_back(name);
    if (!seen.insert(name).second) break;
  }
  return depth;
}

}  // namespace lathe::driver
