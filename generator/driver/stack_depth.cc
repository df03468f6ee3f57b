#include "generator/driver/stack_depth.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace lathe::driver {
namespace {

// GCC's name for the unknown callee of a call through a pointer.
constexpr char kIndirect[] = "__indirect_call";

// Returns the value of `key: "value"` in a line of a graph.
absl::string_view Quoted(absl::string_view line, absl::string_view key) {
  const std::string begin = absl::StrCat(key, ": \"");
  const size_t at = line.find(begin);
  if (at == absl::string_view::npos) return "";
  const absl::string_view rest = line.substr(at + begin.size());
  return rest.substr(0, rest.find('"'));
}

bool Grows(absl::string_view qualifiers) {
  // "dynamic,bounded" is bounded.
  return absl::StrContains(qualifiers, "dynamic") && !absl::StrContains(qualifiers, "bounded");
}

void AddFrame(int64_t bytes, bool grows, StackFunction& function) {
  function.bytes = std::max(function.bytes.value_or(0), bytes);
  function.grows = function.grows || grows;
}

// Sorts functions after their callees (postorder), and finds recursive functions.
class CallOrder {
 public:
  explicit CallOrder(const StackGraph& graph) : graph_(graph) {}

  void Visit(const std::string& entry) {
    if (!Open(entry)) return;
    while (!open_.empty()) {
      Frame& top = open_.back();
      if (top.next == top.function->callees.end()) {
        state_[*top.name] = State::kDone;
        done.push_back(top.name);
        open_.pop_back();
        continue;
      }
      const std::string& callee = *top.next++;
      if (state_[callee] == State::kOpen) recursive.insert(callee);
      Open(callee);
    }
  }

  std::vector<const std::string*> done;
  std::set<std::string> recursive;

 private:
  enum class State { kNew, kOpen, kDone };
  struct Frame {
    const std::string* name;
    const StackFunction* function;
    std::set<std::string>::const_iterator next;
  };

  bool Open(const std::string& name) {
    const auto it = graph_.find(name);
    if (it == graph_.end() || state_[name] != State::kNew) return false;
    state_[name] = State::kOpen;
    open_.push_back({&it->first, &it->second, it->second.callees.begin()});
    return true;
  }

  const StackGraph& graph_;
  std::map<std::string, State> state_;
  std::vector<Frame> open_;
};

}  // namespace

std::string StackName(absl::string_view unique) {
  const size_t colon = unique.rfind(':');
  return std::string(colon == absl::string_view::npos ? unique : unique.substr(colon + 1));
}

void ReadCallGraph(absl::string_view text, StackGraph& graph) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StartsWith(line, "edge:")) {
      StackFunction& caller = graph[std::string(Quoted(line, "sourcename"))];
      const std::string callee(Quoted(line, "targetname"));
      if (callee == kIndirect) {
        caller.calls_pointers = true;
      } else {
        caller.callees.insert(callee);
      }
    } else if (absl::StartsWith(line, "node:")) {
      const std::string name(Quoted(line, "title"));
      if (name == kIndirect) continue;
      StackFunction& function = graph[name];
      // "net_run\nnet.c:20:5\n48 bytes (static)"; functions of other files have no size.
      const std::vector<absl::string_view> lines = absl::StrSplit(Quoted(line, "label"), "\\n");
      for (absl::string_view part : lines) {
        const size_t bytes_at = part.find(" bytes (");
        int64_t bytes = 0;
        if (bytes_at == absl::string_view::npos) continue;
        if (!absl::SimpleAtoi(part.substr(0, bytes_at), &bytes)) continue;
        AddFrame(bytes, Grows(part.substr(bytes_at)), function);
      }
    }
  }
}

void ReadStackUsage(absl::string_view text, absl::string_view file,
                    const std::set<std::string>& local, StackGraph& graph) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<absl::string_view> fields = absl::StrSplit(line, '\t');
    int64_t bytes = 0;
    if (fields.size() < 3 || !absl::SimpleAtoi(fields[1], &bytes)) continue;
    std::string name = StackName(fields[0]);
    if (local.count(name) > 0) name = absl::StrCat(file, ":", name);
    AddFrame(bytes, Grows(fields[2]), graph[name]);
  }
}

StackDepth FindStackDepth(const StackGraph& graph, absl::Span<const std::string> entries) {
  StackDepth depth;
  CallOrder order(graph);
  for (const std::string& entry : entries) {
    order.Visit(entry);
    if (graph.count(entry) == 0) {
      depth.unbounded.push_back(absl::StrCat(entry, " is not in the compiled code"));
    }
  }
  std::map<std::string, std::pair<int64_t, std::string>> below;  // bytes, and the deepest callee
  for (const std::string* name : order.done) {
    const StackFunction& function = graph.at(*name);
    const std::string shown = StackName(*name);
    if (!function.bytes) {
      depth.unbounded.push_back(absl::StrCat(
          shown, " ", function.why_unknown.empty() ? "is not measured" : function.why_unknown));
    }
    if (function.grows)
      depth.unbounded.push_back(absl::StrCat(shown, " has a frame of dynamic size"));
    if (function.calls_pointers) {
      depth.unbounded.push_back(absl::StrCat(shown, " calls through a pointer"));
    }
    if (order.recursive.count(*name) > 0) {
      depth.unbounded.push_back(absl::StrCat(shown, " calls itself"));
    }
    std::pair<int64_t, std::string> deepest = {0, ""};
    for (const std::string& callee : function.callees) {
      const auto it = below.find(callee);
      if (it == below.end()) {
        if (graph.count(callee) == 0) {
          depth.unbounded.push_back(absl::StrCat(StackName(callee), " is not measured"));
        }
        continue;
      }
      if (it->second.first > deepest.first || deepest.second.empty()) {
        deepest = {it->second.first, callee};
      }
    }
    below[*name] = {function.bytes.value_or(0) + deepest.first, deepest.second};
  }
  std::string top;
  for (const std::string& entry : entries) {
    const auto it = below.find(entry);
    if (it == below.end()) continue;
    if (top.empty() || it->second.first > depth.known) top = entry;
    depth.known = std::max(depth.known, it->second.first);
  }
  for (std::string name = top; !name.empty(); name = below[name].second) {
    depth.path.push_back(StackName(name));
  }
  std::sort(depth.unbounded.begin(), depth.unbounded.end());
  depth.unbounded.erase(std::unique(depth.unbounded.begin(), depth.unbounded.end()),
                        depth.unbounded.end());
  if (depth.unbounded.empty() && !top.empty()) depth.bytes = depth.known;
  return depth;
}

std::set<std::string> UnknownCallees(const StackGraph& graph,
                                     absl::Span<const std::string> entries) {
  CallOrder order(graph);
  for (const std::string& entry : entries) order.Visit(entry);
  std::set<std::string> unknown;
  for (const std::string* name : order.done) {
    const StackFunction& function = graph.at(*name);
    if (!function.bytes) unknown.insert(*name);
    for (const std::string& callee : function.callees) {
      if (graph.count(callee) == 0) unknown.insert(callee);
    }
  }
  return unknown;
}

}  // namespace lathe::driver
