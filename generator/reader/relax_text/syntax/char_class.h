// Classifies the bytes of tokens.
#ifndef LATHE_READER_RELAX_TEXT_SYNTAX_CHAR_CLASS_H_
#define LATHE_READER_RELAX_TEXT_SYNTAX_CHAR_CLASS_H_

namespace lathe::relax_text {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// All bytes of non-ASCII characters count as letters; name_chars.h rejects the invalid ones.
constexpr bool IsNonAscii(char c) { return (static_cast<unsigned char>(c) & 0x80) != 0; }
constexpr bool StartsName(char c) { return IsLetter(c) || c == '_' || IsNonAscii(c); }
constexpr bool ContinuesName(char c) { return StartsName(c) || IsDigit(c); }
constexpr bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }
constexpr bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

// Returns the value of a digit in a base up to 16, or 16 if `c` is not a digit.
constexpr int DigitValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_SYNTAX_CHAR_CLASS_H_
