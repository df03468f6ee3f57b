#include "generator/emit/c_names.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace lathe::emit {
namespace {

// Keywords of C99 to C23 and C++17, and the names the generated code itself uses.
constexpr absl::string_view kReserved[] = {
    "alignas", "alignof",   "and",       "asm",      "auto",      "bool",     "break",    "case",
    "catch",   "char",      "class",     "const",    "constexpr", "continue", "default",  "delete",
    "do",      "double",    "else",      "enum",     "explicit",  "export",   "extern",   "false",
    "float",   "for",       "friend",    "goto",     "if",        "inline",   "int",      "long",
    "main",    "mutable",   "namespace", "new",      "not",       "nullptr",  "operator", "or",
    "private", "protected", "public",    "register", "restrict",  "return",   "short",    "signed",
    "sizeof",  "static",    "struct",    "switch",   "template",  "this",     "throw",    "true",
    "try",     "typedef",   "typename",  "typeof",   "union",     "unsigned", "using",    "virtual",
    "void",    "volatile",  "while",     "xor",      "memcpy",    "int8_t",   "int16_t",  "int32_t",
    "int64_t", "uint8_t",   "uint16_t",  "uint32_t", "uint64_t",  "size_t",   "uintptr_t"};

}  // namespace

std::string CIdentifier(absl::string_view name) {
  std::string id;
  for (const char c : name) {
    const bool word = absl::ascii_isalnum(static_cast<unsigned char>(c));
    if (word) {
      id += c;
    } else if (!id.empty() && id.back() != '_') {
      id += '_';
    }
  }
  while (!id.empty() && id.back() == '_') id.pop_back();
  if (id.empty()) return "v";
  const bool digit = absl::ascii_isdigit(static_cast<unsigned char>(id[0]));
  return digit ? absl::StrCat("v", id) : id;
}

std::string UpperCase(absl::string_view identifier) { return absl::AsciiStrToUpper(identifier); }

CNames::CNames() {
  for (absl::string_view word : kReserved) taken_.insert(std::string(word));
}

std::string CNames::Unique(absl::string_view name) {
  const std::string base = CIdentifier(name);
  std::string id = base;
  for (int n = 1; !taken_.insert(id).second; ++n) id = absl::StrCat(base, "_", n);
  return id;
}

}  // namespace lathe::emit
