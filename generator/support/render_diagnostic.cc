#include "generator/support/render_diagnostic.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace lathe {
namespace {

// Longer lines are shown as a window around the caret.
constexpr size_t kExcerptWidth = 160;

bool ContinuesUtf8(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The length of the well-formed, printable UTF-8 character at `i`, else 0.
size_t PrintableAt(absl::string_view text, size_t i) {
  const auto byte = [&](size_t k) -> unsigned { return static_cast<unsigned char>(text[k]); };
  const unsigned first = byte(i);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const size_t length = first >= 0xF0 && first < 0xF5   ? 4
                        : first >= 0xE0 && first < 0xF0 ? 3
                        : first >= 0xC2 && first < 0xE0 ? 2
                                                        : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (size_t k = 1; k < length; ++k) {
    if (!ContinuesUtf8(text[i + k])) return 0;
  }
  // Rejects C1 controls, overlong forms, surrogates and codes past U+10FFFF.
  const unsigned second = byte(i + 1);
  if (first == 0xC2 && second < 0xA0) return 0;
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  return length;
}

// Replaces every unprintable byte by `?`; line ends are kept if `keep_lines`.
std::string Shown(absl::string_view text, bool keep_lines) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t length = PrintableAt(text, i);
    const bool kept = text[i] == '\t' || (keep_lines && text[i] == '\n');
    absl::StrAppend(&out, length > 0 || kept ? text.substr(i, std::max<size_t>(length, 1)) : "?");
    i += std::max<size_t>(length, 1);
  }
  return out;
}

std::string Excerpt(const Location& loc, const Palette& colors) {
  const auto* span = std::get_if<TextSpan>(&loc);
  if (span == nullptr || span->file == nullptr) return "";
  const int line = span->file->LineAt(span->begin);
  absl::string_view text = span->file->Line(line);
  size_t column = std::min<size_t>(span->begin - span->file->LineStart(line), text.size());
  if (text.size() > kExcerptWidth) {
    size_t first = column > kExcerptWidth / 2 ? column - kExcerptWidth / 2 : 0;
    while (first < column && ContinuesUtf8(text[first])) ++first;
    size_t end = std::min(first + kExcerptWidth, text.size());
    while (end > column && end < text.size() && ContinuesUtf8(text[end])) --end;
    text = text.substr(first, end - first);
    column -= first;
  }
  const size_t length = span->end > span->begin ? span->end - span->begin : 1;
  std::string under;
  // One mark per character; tabs are kept so that the caret is aligned.
  for (size_t i = 0; i < text.size() && i < column + length;) {
    const size_t step = std::max<size_t>(PrintableAt(text, i), 1);
    under += i < column ? (text[i] == '\t' ? '\t' : ' ') : (i == column ? '^' : '~');
    i += step;
  }
  if (column >= text.size()) under += '^';
  // A span of several lines is cut at the end of its first line.
  while (under.size() > 1 && under.back() == '~' && text.size() < column + length &&
         absl::string_view(text).back() == ' ') {
    under.pop_back();
    text.remove_suffix(1);
  }
  const size_t mark = under.find('^');
  return absl::StrCat("\n  ", Shown(text, false), "\n  ", under.substr(0, mark), colors.caret,
                      mark == under.npos ? "" : under.substr(mark), colors.end);
}

std::string Headline(const Location& loc, absl::string_view kind_color, absl::string_view kind,
                     absl::string_view message, const Palette& colors) {
  const std::string place = Shown(RenderPlace(loc), false);
  return absl::StrCat(place.empty() ? "" : colors.place, place, place.empty() ? "" : colors.end,
                      kind_color, kind, ":", colors.end, " ", Shown(message, true));
}

}  // namespace

std::string RenderDiagnostic(const Diagnostic& d, const Palette& colors, Excerpts excerpts) {
  const auto excerpt = [&](const Location& loc) {
    return excerpts == Excerpts::kShow ? Excerpt(loc, colors) : "";
  };
  const bool error = d.severity == Severity::kError;
  std::string out = Headline(d.loc, error ? colors.error : colors.warning,
                             error ? "error" : "warning", d.message, colors);
  absl::StrAppend(&out, " ", colors.code, "[", d.code, "]", colors.end, excerpt(d.loc));
  for (const Note& n : d.notes) {
    absl::StrAppend(&out, "\n", Headline(n.loc, colors.note, "note", n.message, colors),
                    excerpt(n.loc));
  }
  if (!d.help.empty()) {
    absl::StrAppend(&out, "\n", colors.help, "help:", colors.end, " ", Shown(d.help, true));
  }
  return out;
}

}  // namespace lathe
