#include "generator/emit/text/html_text.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "generator/support/utf8.h"

namespace lathe::emit {
namespace {

struct CodeRange {
  uint32_t first, last;
};

// Characters of Unicode that are invisible, separate lines, or change the direction of text; and
// those without a meaning that is agreed (surrogates are not UTF-8).
constexpr CodeRange kHidden[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},       {0x34f, 0x34f},      {0x61c, 0x61c},
    {0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180b, 0x180f},   {0x200b, 0x200f},    {0x2028, 0x202e},
    {0x2060, 0x206f}, {0x3164, 0x3164}, {0xe000, 0xf8ff},   {0xfe00, 0xfe0f},    {0xfeff, 0xfeff},
    {0xffa0, 0xffa0}, {0xfff0, 0xffff}, {0x1d173, 0x1d17a}, {0xe0000, 0x10ffff},
};

bool IsHidden(uint32_t code) {
  return std::any_of(std::begin(kHidden), std::end(kHidden), [&](const CodeRange& range) {
    return range.first <= code && code <= range.last;
  });
}

std::string Visible(absl::string_view text, size_t limit, absl::string_view kept) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (out.size() >= limit) {
      out += "...";
      break;
    }
    const int length = Utf8Length(text, at);
    if (length == 0) {
      absl::StrAppendFormat(&out, "<%02X>", static_cast<unsigned char>(text[at++]));
      continue;
    }
    const absl::string_view bytes = text.substr(at, static_cast<size_t>(length));
    if (const uint32_t code = DecodeChar(text, at).code; !IsHidden(code)) {
      absl::StrAppend(&out, bytes);
    } else if (kept.find(bytes[0]) != kept.npos) {
      out += bytes[0];
    } else if (code == '\n' || code == '\r' || code == '\t') {
      out += ' ';
    } else {
      absl::StrAppendFormat(&out, "<U+%04X>", code);
    }
    at += bytes.size();
  }
  return out;
}

}  // namespace

std::string VisibleText(absl::string_view text) { return Visible(text, kMaxHtmlBytes, ""); }

std::string VisibleLine(absl::string_view text) { return Visible(text, text.npos, ""); }

std::string VisibleSource(absl::string_view source) { return Visible(source, source.npos, "\n\t"); }

HtmlText EscapeHtml(absl::string_view text) {
  return HtmlText(absl::StrReplaceAll(
      VisibleText(text),
      {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}}));
}

HtmlJson JsonForScript(absl::string_view json) {
  return HtmlJson(
      absl::StrReplaceAll(json, {{"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}}));
}

}  // namespace lathe::emit
