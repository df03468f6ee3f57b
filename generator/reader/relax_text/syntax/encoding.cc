#include "generator/reader/relax_text/syntax/encoding.h"

#include "absl/strings/str_format.h"
#include "generator/support/utf8.h"

namespace lathe::relax_text {

bool CheckEncoding(const LexInput& input, SyntaxErrors& errors) {
  const absl::string_view text = input.text;
  if (text.substr(0, 2) == "\xFF\xFE" || text.substr(0, 2) == "\xFE\xFF") {
    errors.Error(input.Span(0, 2), "syntax-encoding")
        << "the file is in UTF-16; it must be in UTF-8";
    errors.Stop();
    return false;
  }
  size_t at = 0;
  while (at < text.size()) {
    const int length = text[at] == '\0' ? 0 : Utf8Length(text, at);
    if (length == 0) {
      const TextSpan span = input.Span(at, at + 1);
      if (text[at] == '\0') {
        errors.Error(span, "syntax-encoding") << "the file contains a NUL byte";
      } else {
        errors.Error(span, "syntax-encoding")
            << "the byte " << absl::StrFormat("0x%02x", static_cast<uint8_t>(text[at]))
            << " at offset " << at << " is not UTF-8";
      }
      errors.Stop();
      return false;
    }
    at += length;
  }
  return true;
}

}  // namespace lathe::relax_text
