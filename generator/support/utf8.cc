#include "generator/support/utf8.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"

namespace lathe {
namespace {

struct Range {
  uint32_t first;
  uint32_t last;
};
// Punctuation, spaces, symbols and private use; sorted.
constexpr Range kNoLetters[] = {
    {0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB6},     {0xB8, 0xB9},       {0xBB, 0xBF},
    {0xD7, 0xD7},     {0xF7, 0xF7},     {0x2000, 0x203E}, {0x2041, 0x2053},   {0x2055, 0x2070},
    {0x2072, 0x207E}, {0x2080, 0x208F}, {0x20A0, 0x20CF}, {0x2190, 0x2BFF},   {0x2E00, 0x2FFF},
    {0x3000, 0x3004}, {0x3008, 0x3020}, {0xE000, 0xF8FF}, {0xFE10, 0xFE1F},   {0xFEFF, 0xFEFF},
    {0xFF01, 0xFF0F}, {0xFF1A, 0xFF20}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FBEF}, {0xF0000, 0x10FFFF}};

}  // namespace

int Utf8Length(absl::string_view text, size_t at) {
  const auto byte = [&](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  for (int i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = byte(at + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0;
  const bool too_large = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

DecodedChar DecodeChar(absl::string_view text, size_t at) {
  const int length = std::max(1, Utf8Length(text, at));
  const unsigned first = static_cast<unsigned char>(text[at]);
  uint32_t code = length == 1 ? first : first & (0x7Fu >> length);
  for (int i = 1; i < length; ++i) code = code << 6 | (text[at + i] & 0x3F);
  return {code, length};
}

void AppendUtf8(uint32_t code, std::string& out) {
  const auto continuation = [&](int shift) {
    out += static_cast<char>(0x80 | (code >> shift & 0x3F));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    continuation(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    continuation(6);
    continuation(0);
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

bool MayBeInName(uint32_t code) {
  if (code < 0x80) return absl::ascii_isalnum(static_cast<unsigned char>(code)) || code == '_';
  const Range* range = std::lower_bound(std::begin(kNoLetters), std::end(kNoLetters), code,
                                        [](const Range& r, uint32_t c) { return r.last < c; });
  return range == std::end(kNoLetters) || code < range->first;
}

}  // namespace lathe
