#include "generator/reader/onnx/pattern/pattern.h"

#include <algorithm>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/pattern/case_folding.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

constexpr int kMaxPatternDepth = 200;
constexpr int kMaxRepeats = 1000;  // as in RE2
constexpr uint32_t kLastPoint = 0x10FFFF;

// Sorts and merges ranges.
CodePoints Merged(CodePoints points) {
  std::sort(points.begin(), points.end());
  CodePoints out;
  for (const auto& [low, high] : points) {
    if (!out.empty() && low <= out.back().second + 1) {
      out.back().second = std::max(out.back().second, high);
    } else {
      out.emplace_back(low, high);
    }
  }
  return out;
}

CodePoints Complement(const CodePoints& points) {
  CodePoints out;
  uint32_t next = 0;
  for (const auto& [low, high] : Merged(points)) {
    if (low > next) out.emplace_back(next, low - 1);
    next = high + 1;
  }
  if (next <= kLastPoint) out.emplace_back(next, kLastPoint);
  return out;
}

struct NamedClass {
  const char* name;
  CodePoints points;
};

const CodePoints kDigits = {{'0', '9'}};
const CodePoints kWordPoints = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
const CodePoints kSpacePoints = {{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};

std::vector<NamedClass> PosixClasses() {
  return {{"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
          {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
          {"ascii", {{0, 127}}},
          {"blank", {{'\t', '\t'}, {' ', ' '}}},
          {"cntrl", {{0, 31}, {127, 127}}},
          {"digit", kDigits},
          {"graph", {{'!', '~'}}},
          {"lower", {{'a', 'z'}}},
          {"print", {{' ', '~'}}},
          {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
          {"space", {{'\t', '\r'}, {' ', ' '}}},
          {"upper", {{'A', 'Z'}}},
          {"word", kWordPoints},
          {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}}};
}

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  absl::StatusOr<Pattern> Run() {
    LATHE_ASSIGN_OR_RETURN(Pattern whole, Choice());
    if (!AtEnd()) return Malformed("an unmatched ')'");
    return whole;
  }

 private:
  static absl::Status Malformed(const std::string& what) {
    return absl::InvalidArgumentError(what);
  }
  bool AtEnd() const { return at_ >= text_.size(); }
  bool Sees(absl::string_view word) const {
    return absl::StartsWith(absl::string_view(text_).substr(at_), word);
  }
  bool Take(absl::string_view word) {
    if (!Sees(word)) return false;
    at_ += word.size();
    return true;
  }

  // Reads one character of UTF-8.
  absl::StatusOr<uint32_t> Point() {
    const auto first = static_cast<uint8_t>(text_[at_++]);
    if (first < 0x80) return first;
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    uint32_t point = first & (0x3F >> more);
    for (int i = 0; i < more; ++i) {
      if (AtEnd() || (static_cast<uint8_t>(text_[at_]) & 0xC0) != 0x80)
        return Malformed("invalid UTF-8");
      point = point << 6 | (static_cast<uint8_t>(text_[at_++]) & 0x3F);
    }
    return point;
  }

  absl::StatusOr<Pattern> Choice() {
    if (++depth_ > kMaxPatternDepth)
      return Malformed(absl::StrCat("groups nested more than ", kMaxPatternDepth, " deep"));
    Pattern choice{PatternKind::kChoice};
    do {
      LATHE_ASSIGN_OR_RETURN(Pattern part, Sequence());
      choice.parts.push_back(std::move(part));
    } while (Take("|"));
    --depth_;
    return choice;
  }

  absl::StatusOr<Pattern> Sequence() {
    Pattern sequence{PatternKind::kSequence};
    while (!AtEnd() && !Sees("|") && !Sees(")")) {
      if (Take("\\Q")) {
        while (!AtEnd() && !Take("\\E")) {
          LATHE_ASSIGN_OR_RETURN(const uint32_t point, Point());
          sequence.parts.push_back(Character({{point, point}}));
        }
      } else {
        LATHE_ASSIGN_OR_RETURN(std::optional<Pattern> atom, Atom());
        if (atom) sequence.parts.push_back(*std::move(atom));
      }
      // A repetition after a quotation or after flags is one of the character before.
      if (sequence.parts.empty()) continue;
      LATHE_ASSIGN_OR_RETURN(sequence.parts.back(), Repeated(std::move(sequence.parts.back())));
    }
    return sequence;
  }

  Pattern Character(const CodePoints& points) {
    Pattern p{PatternKind::kCharacter};
    p.points = Merged(Folded(points));
    return p;
  }

  CodePoints Folded(const CodePoints& points) const {
    return any_case_ ? WithAllCases(points) : points;
  }

  // Returns all points that no case of `points` matches.
  CodePoints Without(const CodePoints& points) const { return Complement(Folded(points)); }

  // Returns nothing for a group of flags only.
  absl::StatusOr<std::optional<Pattern>> Atom() {
    if (Take("(")) return Group();
    if (Take("[")) return Class();
    if (Take("^") || Take("\\A")) return Pattern{PatternKind::kBegin};
    if (Take("$") || Take("\\z")) return Pattern{PatternKind::kEnd};
    if (Take("\\b")) return Pattern{PatternKind::kWordBoundary};
    if (Take("\\B")) return Pattern{PatternKind::kNoWordBoundary};
    if (Take(".")) return Character(dot_all_ ? Complement({}) : Complement({{'\n', '\n'}}));
    if (Take("\\")) {
      LATHE_ASSIGN_OR_RETURN(const CodePoints points, Escape());
      return Character(points);
    }
    Pattern repeat;
    LATHE_ASSIGN_OR_RETURN(const bool repeats, Repetition(repeat));
    if (repeats) return Malformed("a repetition of nothing");
    LATHE_ASSIGN_OR_RETURN(const uint32_t point, Point());
    return Character({{point, point}});
  }

  // Flags hold up to the end of the group that contains them.
  absl::StatusOr<std::optional<Pattern>> Group() {
    const bool any_case = any_case_, dot_all = dot_all_;
    if (Sees("?=") || Sees("?!") || Sees("?<=") || Sees("?<!"))
      return absl::UnimplementedError("an assertion about the text around a match");
    if (Take("?P<") || Take("?<")) {
      LATHE_RETURN_IF_ERROR(GroupName());
    } else if (Take("?")) {
      bool on = true;
      while (!AtEnd() && text_[at_] != ':' && text_[at_] != ')') {
        const char flag = text_[at_++];
        if (flag == '-') on = false;
        if (flag == 'i') any_case_ = on;
        if (flag == 's') dot_all_ = on;
        if (flag != '-' && flag != 'i' && flag != 's')
          return absl::UnimplementedError(absl::StrCat("the flag '", std::string(1, flag), "'"));
      }
      if (Take(")")) return std::nullopt;
      if (!Take(":")) return Malformed("flags without an end");
    }
    LATHE_ASSIGN_OR_RETURN(Pattern inner, Choice());
    if (!Take(")")) return Malformed("a '(' without ')'");
    any_case_ = any_case;
    dot_all_ = dot_all;
    return inner;
  }

  absl::Status GroupName() {
    const size_t begin = at_;
    while (!AtEnd() && text_[at_] != '>') ++at_;
    if (at_ == begin || !Take(">")) return Malformed("a group without a name up to '>'");
    return absl::OkStatus();
  }

  // Reads what follows a backslash, outside and inside of brackets.
  absl::StatusOr<CodePoints> Escape() {
    if (AtEnd()) return Malformed("a '\\' at the end");
    const char c = text_[at_++];
    const auto one = [](uint32_t point) { return CodePoints{{point, point}}; };
    switch (c) {
      case 'd':
        return kDigits;
      case 'D':
        return Without(kDigits);
      case 'w':
        return kWordPoints;
      case 'W':
        return Without(kWordPoints);
      case 's':
        return kSpacePoints;
      case 'S':
        return Without(kSpacePoints);
      case 'n':
        return one('\n');
      case 't':
        return one('\t');
      case 'r':
        return one('\r');
      case 'f':
        return one('\f');
      case 'v':
        return one('\v');
      case 'a':
        return one('\a');
      case 'x':
        return Hexadecimal();
      case '0':
        return Octal(0);
      default:
        break;
    }
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (c >= '1' && c <= '7' && SeesOctal()) return Octal(static_cast<uint32_t>(c - '0'));
    if (is_letter || (c >= '0' && c <= '9'))
      return absl::UnimplementedError(absl::StrCat("the escape '\\", std::string(1, c), "'"));
    --at_;
    LATHE_ASSIGN_OR_RETURN(const uint32_t point, Point());
    return one(point);
  }

  bool SeesOctal() const { return !AtEnd() && text_[at_] >= '0' && text_[at_] <= '7'; }

  // Reads up to two more octal digits. A single digit other than 0 would refer to a group.
  CodePoints Octal(uint32_t point) {
    for (int i = 0; i < 2 && SeesOctal(); ++i) {
      point = point * 8 + static_cast<uint32_t>(text_[at_++] - '0');
    }
    return {{point, point}};
  }

  absl::StatusOr<CodePoints> Hexadecimal() {
    const bool braces = Take("{");
    uint32_t point = 0;
    int digits = 0;
    for (; !AtEnd() && digits < (braces ? 8 : 2); ++digits) {
      const char c = text_[at_];
      const char lower = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9') {
        point = point * 16 + static_cast<uint32_t>(c - '0');
      } else if (lower >= 'a' && lower <= 'f') {
        point = point * 16 + static_cast<uint32_t>(lower - 'a' + 10);
      } else {
        break;
      }
      ++at_;
    }
    if ((braces && !Take("}")) || digits < (braces ? 1 : 2) || point > kLastPoint)
      return Malformed("a hexadecimal escape without a character");
    return CodePoints{{point, point}};
  }

  absl::StatusOr<Pattern> Class() {
    const bool negated = Take("^");
    CodePoints points;
    for (bool first = true; first || !Sees("]"); first = false) {
      if (AtEnd()) return Malformed("a '[' without ']'");
      LATHE_ASSIGN_OR_RETURN(CodePoints item, ClassItem());
      const bool single = item.size() == 1 && item[0].first == item[0].second;
      if (single && Sees("-") && !Sees("-]")) {
        ++at_;
        if (AtEnd()) return Malformed("a '[' without ']'");
        LATHE_ASSIGN_OR_RETURN(const CodePoints last, ClassItem());
        if (last.size() != 1 || last[0].first != last[0].second || last[0].first < item[0].first) {
          return Malformed("a range of characters whose ends are not in order");
        }
        item[0].second = last[0].first;
      }
      points.insert(points.end(), item.begin(), item.end());
    }
    ++at_;
    if (!negated) return Character(points);
    Pattern p{PatternKind::kCharacter};
    p.points = Without(points);
    return p;
  }

  absl::StatusOr<CodePoints> ClassItem() {
    if (Take("[:")) {
      const bool negated = Take("^");
      for (const NamedClass& named : PosixClasses()) {
        if (!Take(absl::StrCat(named.name, ":]"))) continue;
        return negated ? Without(named.points) : named.points;
      }
      return Malformed("an unknown class of characters");
    }
    if (Take("\\")) return Escape();
    LATHE_ASSIGN_OR_RETURN(const uint32_t point, Point());
    return CodePoints{{point, point}};
  }

  // Reads a number; as in RE2, one with a leading zero or more than eight digits is text.
  std::optional<int> Count() {
    constexpr size_t kCountDigits = 8;
    int value = 0;
    const size_t begin = at_;
    for (; !AtEnd() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (at_ - begin == kCountDigits || (at_ > begin && text_[begin] == '0')) return std::nullopt;
      value = value * 10 + (text_[at_] - '0');
    }
    return at_ == begin ? std::nullopt : std::optional(value);
  }

  // Reads '{n}', '{n,}' or '{n,m}'. Other braces are characters.
  absl::StatusOr<bool> Braces(Pattern& repeat) {
    const size_t begin = at_;
    ++at_;
    const std::optional<int> least = Count();
    std::optional<int> most = least;
    if (least && Take(",")) most = Sees("}") ? std::optional(-1) : Count();
    if (!least || !most || !Take("}")) {
      at_ = begin;
      return false;
    }
    if (*least > kMaxRepeats || *most > kMaxRepeats || (*most >= 0 && *most < *least))
      return Malformed(absl::StrCat("a repetition that is out of range; at most ", kMaxRepeats));
    repeat.least = *least;
    repeat.most = *most;
    return true;
  }

  // Reads a repetition, if one follows, into the counts of `repeat`.
  absl::StatusOr<bool> Repetition(Pattern& repeat) {
    repeat.kind = PatternKind::kRepeat;
    repeat.most = -1;
    if (Sees("{")) return Braces(repeat);
    if (Take("*")) return true;
    if (Take("+")) {
      repeat.least = 1;
      return true;
    }
    repeat.most = 1;
    return Take("?");
  }

  absl::StatusOr<Pattern> Repeated(Pattern atom) {
    for (int k = 0;; ++k) {
      Pattern repeat;
      LATHE_ASSIGN_OR_RETURN(const bool repeats, Repetition(repeat));
      if (!repeats) return atom;
      if (k > 0) return Malformed("a repetition of a repetition");
      Take("?");  // the shortest match is a match of the whole string too
      repeat.parts.push_back(std::move(atom));
      atom = std::move(repeat);
    }
  }

  const std::string& text_;
  size_t at_ = 0;
  int depth_ = 0;
  bool any_case_ = false, dot_all_ = false;
};

}  // namespace

absl::StatusOr<Pattern> ParsePattern(const std::string& text) { return Parser(text).Run(); }

}  // namespace lathe::onnx
