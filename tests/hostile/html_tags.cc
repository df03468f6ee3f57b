#include "tests/hostile/html_tags.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/support/utf8.h"

namespace lathe::hostile {
namespace {

// Returns where the content of a script or style element ends.
size_t EndOfRawText(absl::string_view page, size_t at, absl::string_view name) {
  for (; at < page.size(); ++at) {
    if (absl::StartsWithIgnoreCase(page.substr(at), absl::StrCat("</", name))) return at;
  }
  return page.npos;
}

absl::Status CheckCharacters(absl::string_view page) {
  for (size_t at = 0; at < page.size();) {
    const int length = Utf8Length(page, at);
    if (length == 0) return absl::InvalidArgumentError("a byte that is not UTF-8");
    const uint32_t code = DecodeChar(page, at).code;
    const bool control = (code < 32 && code != '\n' && code != '\t') || code == 127;
    const bool turns = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    if (control || turns) {
      return absl::InvalidArgumentError(absl::StrCat("the character ", code, " of a name"));
    }
    at += static_cast<size_t>(length);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<HtmlPage> ReadHtml(absl::string_view page) {
  HtmlPage out;
  const absl::Status well = CheckCharacters(page);
  if (!well.ok()) return well;
  for (size_t at = page.find('<'); at != page.npos; at = page.find('<', at)) {
    char quote = '\0';
    size_t end = at + 1;
    for (; end < page.size() && (quote != '\0' || page[end] != '>'); ++end) {
      if (quote == '\0' ? page[end] == '"' || page[end] == '\'' : page[end] == quote) {
        quote = quote == '\0' ? page[end] : '\0';
      }
    }
    if (end == page.size()) return absl::InvalidArgumentError("a tag is not closed");
    const std::string tag(page.substr(at, end + 1 - at));
    out.tags.push_back(tag);
    at = end + 1;
    for (const absl::string_view raw : {"script", "style", "title"}) {
      if (!absl::StartsWith(tag, absl::StrCat("<", raw))) continue;
      const size_t close = EndOfRawText(page, at, raw);
      if (close == page.npos) return absl::InvalidArgumentError("an element is not closed");
      const absl::string_view content = page.substr(at, close - at);
      if (absl::StrContains(tag, "application/json")) {
        out.data = std::string(content);
      } else if (raw != "title") {
        out.tags.emplace_back(content);
      }
      at = close;
    }
  }
  return out;
}

}  // namespace lathe::hostile
