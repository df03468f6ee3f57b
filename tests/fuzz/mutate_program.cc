#include "tests/fuzz/mutate_program.h"

#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace lathe::fuzz {
namespace {

enum class Kind { kWord, kNumber, kText, kBracket, kSymbol, kSpace };

struct Token {
  Kind kind;
  absl::string_view text;
};

constexpr absl::string_view kEdges[] = {"0",
                                        "1",
                                        "-1",
                                        "2",
                                        "64",
                                        "255",
                                        "65536",
                                        "2147483647",
                                        "2147483648",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "1e300",
                                        "0.5",
                                        "True",
                                        "None",
                                        "()"};
constexpr absl::string_view kWords[] = {
    "\"float32\"", "\"int64\"",    "\"bool\"",       "\"float16\"",   "\"int8\"",
    "R.Object",    "R.Tensor",     "R.Shape",        "R.Tuple",       "R.Callable",
    "R.Prim",      "R.match_cast", "R.call_tir",     "R.shape",       "R.add",
    "R.matmul",    "R.reshape",    "R.const",        "T.float32",     "T.int64",
    "T.Buffer",    "T.serial",     "T.grid",         "T.axis.reduce", "R.call_pure_packed",
    "R.shape_of",  "R.null_value", "T.if_then_else", "T.Select",      "cls.main"};

bool IsWordByte(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Words keep their dots: R.add is one.
std::vector<Token> Tokens(absl::string_view text) {
  std::vector<Token> out;
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const char c = text[at++];
    Kind kind = Kind::kSymbol;
    if (absl::ascii_isdigit(static_cast<unsigned char>(c))) {
      kind = Kind::kNumber;
      while (at < text.size() && (IsWordByte(text[at]) || text[at] == '.')) ++at;
    } else if (IsWordByte(c)) {
      kind = Kind::kWord;
      while (at < text.size() && (IsWordByte(text[at]) || text[at] == '.')) ++at;
    } else if (c == '"') {
      kind = Kind::kText;
      while (at < text.size() && text[at] != '"' && text[at] != '\n') ++at;
      if (at < text.size()) ++at;
    } else if (c == '(' || c == '[' || c == '{') {
      kind = Kind::kBracket;
    } else if (c == ' ' || c == '\n') {
      kind = Kind::kSpace;
    }
    out.push_back({kind, text.substr(begin, at - begin)});
  }
  return out;
}

class TextMutation {
 public:
  TextMutation(absl::string_view text, absl::string_view donor, std::minstd_rand& random)
      : text_(text), donor_(donor), random_(random) {}

  std::string Make() {
    switch (Below(8)) {
      case 0:
        return Lines();
      case 1:
        return Brackets();
      default:
        return Words();
    }
  }

 private:
  size_t Below(size_t n) { return random_() % n; }

  template <typename T>
  const T& Any(const std::vector<T>& from) {
    return from[Below(from.size())];
  }

  std::string Words() {
    std::vector<Token> tokens = Tokens(text_);
    std::vector<size_t> places;
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].kind == Kind::kWord || tokens[i].kind == Kind::kNumber ||
          tokens[i].kind == Kind::kText) {
        places.push_back(i);
      }
    }
    if (places.empty()) return std::string(text_);
    Token& changed = tokens[Any(places)];
    if (changed.kind == Kind::kNumber && Below(2) == 0) {
      changed.text = kEdges[Below(std::size(kEdges))];
    } else if (Below(4) == 0) {
      changed.text = kWords[Below(std::size(kWords))];
    } else {
      // From the program itself, or from the other one.
      const std::vector<Token> others = Below(2) == 0 ? tokens : Tokens(donor_);
      std::vector<absl::string_view> same;
      for (const Token& t : others) {
        if (t.kind == changed.kind) same.push_back(t.text);
      }
      if (!same.empty()) changed.text = Any(same);
    }
    return Joined(tokens);
  }

  std::string Lines() {
    std::vector<absl::string_view> lines = absl::StrSplit(text_, '\n');
    const size_t at = Below(lines.size());
    switch (Below(4)) {
      case 0:
        lines.erase(lines.begin() + at);
        break;
      case 1:
        lines.insert(lines.begin() + at, lines[Below(lines.size())]);
        break;
      case 2:
        std::swap(lines[at], lines[Below(lines.size())]);
        break;
      default: {
        const std::vector<absl::string_view> others = absl::StrSplit(donor_, '\n');
        lines.insert(lines.begin() + at, Any(others));
      }
    }
    return absl::StrJoin(lines, "\n");
  }

  // (...) and [...] from the other program, or gone, or twice.
  std::string Brackets() {
    const std::vector<std::pair<size_t, size_t>> own = Bracketed(text_), others = Bracketed(donor_);
    if (own.empty()) return std::string(text_);
    const auto [begin, end] = Any(own);
    const absl::string_view before = text_.substr(0, begin), after = text_.substr(end),
                            inside = text_.substr(begin, end - begin);
    switch (Below(3)) {
      case 0:
        return absl::StrCat(before, inside.substr(0, 1), inside.substr(inside.size() - 1), after);
      case 1: {
        const auto [b, e] = Any(own);
        return absl::StrCat(before, text_.substr(b, e - b), after);
      }
      default: {
        if (others.empty()) return absl::StrCat(before, "(", inside, ")", after);
        const auto [b, e] = Any(others);
        return absl::StrCat(before, donor_.substr(b, e - b), after);
      }
    }
  }

  static std::vector<std::pair<size_t, size_t>> Bracketed(absl::string_view text) {
    std::vector<std::pair<size_t, size_t>> out;
    std::vector<size_t> open;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '(' || text[i] == '[') open.push_back(i);
      if ((text[i] == ')' || text[i] == ']') && !open.empty()) {
        out.emplace_back(open.back(), i + 1);
        open.pop_back();
      }
    }
    return out;
  }

  static std::string Joined(const std::vector<Token>& tokens) {
    std::string out;
    for (const Token& t : tokens) absl::StrAppend(&out, t.text);
    return out;
  }

  absl::string_view text_;
  absl::string_view donor_;
  std::minstd_rand& random_;
};

}  // namespace

std::string MutateProgram(absl::string_view text, absl::string_view donor,
                          std::minstd_rand& random) {
  return TextMutation(text, donor, random).Make();
}

}  // namespace lathe::fuzz
