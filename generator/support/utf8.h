// Decodes and encodes UTF-8, and classifies the characters of names.
#ifndef LATHE_SUPPORT_UTF8_H_
#define LATHE_SUPPORT_UTF8_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace lathe {

// Returns the length of the well-formed UTF-8 sequence at `at`, 0 if there is none, or 1 at the end
// of the text.
int Utf8Length(absl::string_view text, size_t at);

// The character at an offset of a text, and its length in bytes. A byte that begins no well-formed
// character is one character, with its value as the code.
struct DecodedChar {
  uint32_t code;
  int length;
};
DecodedChar DecodeChar(absl::string_view text, size_t at);

// Appends `code` in UTF-8 to `out`. Callers reject surrogates and codes past U+10FFFF.
void AppendUtf8(uint32_t code, std::string& out);

// Returns whether `code` may be part of a name. ASCII letters, digits and the underscore may.
// Beyond ASCII, all characters may except those that are not part of words: quotes, dashes, spaces,
// arrows, mathematical operators, symbols, private use. Accepts some characters in rare scripts
// that CPython does not.
bool MayBeInName(uint32_t code);

}  // namespace lathe

#endif  // LATHE_SUPPORT_UTF8_H_
