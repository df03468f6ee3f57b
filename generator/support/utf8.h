// Characters of UTF-8 text, and which of them names are made of.
#ifndef LATHE_SUPPORT_UTF8_H_
#define LATHE_SUPPORT_UTF8_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace lathe {

// The length of the well-formed UTF-8 sequence at `at`, or 0.
int Utf8Length(absl::string_view text, size_t at);

// The character that starts at `at`, and its length in bytes; a byte that starts none stands for
// itself.
struct DecodedChar {
  uint32_t code;
  int length;
};
DecodedChar DecodeChar(absl::string_view text, size_t at);

// The bytes of `code` in UTF-8, appended to `out`. Surrogates and codes past U+10FFFF are the
// caller's to refuse.
void AppendUtf8(uint32_t code, std::string& out);

// Letters, digits, the underscore; false beyond ASCII for characters that are no part of any word:
// quotes, dashes, spaces, arrows, mathematical operators, symbols. Looser than CPython's table of
// identifiers in rare scripts.
bool MayBeInName(uint32_t code);

}  // namespace lathe

#endif  // LATHE_SUPPORT_UTF8_H_
