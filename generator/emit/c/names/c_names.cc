#include "generator/emit/c/names/c_names.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "generator/emit/c/names/library_names.h"

namespace lathe::emit {
namespace {

// The keywords of C99 to C23 and C++20, the operator names of <iso646.h>, and extensions that
// compilers enable by default. Keywords that start with an underscore are omitted: MakeCName()
// never returns one.
// clang-format off
constexpr absl::string_view kKeywords[] = {
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
    "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return",
    "co_yield", "compl", "complex", "concept", "const", "const_cast", "consteval", "constexpr",
    "constinit", "continue", "decltype", "default", "delete", "do", "double", "dynamic_cast",
    "else", "enum", "explicit", "export", "extern", "false", "far", "float", "for", "fortran",
    "friend", "goto", "huge", "if", "imaginary", "inline", "int", "interrupt", "long", "mutable",
    "namespace", "near", "new", "noexcept", "noreturn", "not", "not_eq", "nullptr", "operator",
    "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires",
    "restrict", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast",
    "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
    "typeid", "typename", "typeof", "typeof_unqual", "union", "unreachable", "unsigned", "using",
    "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq"};
// clang-format on

// The names that the generated code itself uses.
constexpr absl::string_view kOwn[] = {"main",     "memcpy", "int8_t",   "int16_t",  "int32_t",
                                      "int64_t",  "arena",  "uint8_t",  "uint16_t", "uint32_t",
                                      "uint64_t", "size_t", "uintptr_t"};

// Macros of the headers that are included, and of lathe/rt.h.
constexpr absl::string_view kMacros[] = {
    "NULL",   "EOF",      "NAN",       "INFINITY", "HUGE_VAL", "I",        "errno",
    "assert", "offsetof", "HUGE_VALF", "isnan",    "isinf",    "isfinite", "fpclassify",
    "linux",  "unix",     "i386",      "signbit",  "AVR",      "HUGE",     "MAXFLOAT",
    "BUFSIZ", "RAND_MAX", "stdin",     "stdout",   "stderr"};
constexpr absl::string_view kMacroPrefixes[] = {
    "LATHE_", "INT",   "UINT",        "SIZE_", "PTRDIFF_", "FP_",   "MATH_", "M_",
    "WCHAR_", "WINT_", "SIG_ATOMIC_", "FLT_",  "DBL_",     "LDBL_", "EXIT_", "SEEK_"};

// Functions that expressions call. Each also exists with the suffix f.
constexpr absl::string_view kMathNames[] = {
    "acos",      "acosh",     "asin",      "asinh",    "atan",   "atan2", "atanh",  "cbrt",
    "ceil",      "cos",       "cosh",      "copysign", "erf",    "erfc",  "exp",    "exp2",
    "expm1",     "fabs",      "fdim",      "floor",    "fma",    "fmax",  "fmin",   "fmod",
    "hypot",     "ldexp",     "log",       "log10",    "log1p",  "log2",  "lgamma", "pow",
    "nearbyint", "nextafter", "remainder", "sin",      "sinh",   "sqrt",  "tan",    "tanh",
    "tgamma",    "trunc",     "memset",    "memmove",  "memcmp", "frexp", "lrint",  "lround",
    "modf",      "rint",      "round",     "square"};

// Names of standard and runtime headers. The header of a model with such a name would hide them.
constexpr absl::string_view kHeaderNames[] = {
    "assert", "complex",   "ctype",   "errno",  "fenv",   "float",  "inttypes", "iso646",
    "lathe",  "limits",    "locale",  "math",   "new",    "setjmp", "signal",   "stdalign",
    "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio",  "stdlib",   "stdnoreturn",
    "string", "tgmath",    "threads", "time",   "uchar",  "wchar",  "wctype"};

bool IsOneOf(absl::Span<const absl::string_view> words, absl::string_view name) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

// Returns true if `name` is a macro or function that a variable of this name would conflict with.
bool MeansSomething(absl::string_view name) {
  if (IsOneOf(kMacros, name) || IsOneOf(kMathNames, name)) return true;
  absl::string_view stem = name;
  if (absl::ConsumeSuffix(&stem, "f") && IsOneOf(kMathNames, stem)) return true;
  if (absl::AsciiStrToUpper(name) != name) return false;
  return std::any_of(std::begin(kMacroPrefixes), std::end(kMacroPrefixes),
                     [&](absl::string_view prefix) { return absl::StartsWith(name, prefix); });
}

}  // namespace

CName MakeCName(absl::string_view name) {
  std::string id;
  for (const char c : name) {
    if (id.size() >= kMaxIdentifier) break;
    const bool word = absl::ascii_isalnum(static_cast<unsigned char>(c));
    if (word) {
      id += c;
    } else if (!id.empty() && id.back() != '_') {
      id += '_';
    }
  }
  while (!id.empty() && id.back() == '_') id.pop_back();
  if (id.empty()) return CName("v");
  const bool digit = absl::ascii_isdigit(static_cast<unsigned char>(id[0]));
  return CName(digit ? absl::StrCat("v", id) : id);
}

std::string UpperCase(absl::string_view identifier) { return absl::AsciiStrToUpper(identifier); }

bool MeansSomethingInC(absl::string_view name) {
  return MeansSomething(name) || IsOneOf(kKeywords, name) || IsOneOf(kOwn, name) || IsNameOfC(name);
}

bool IsTakenInC(absl::string_view name) {
  return MeansSomethingInC(name) || IsOneOf(kHeaderNames, name) ||
         absl::StartsWith(name, "lathe_") || name == "std";
}

CNames::CNames(Case letters) : folds_(letters == Case::kFolds) {
  for (absl::string_view word : kKeywords) taken_.insert(std::string(word));
  for (absl::string_view word : kOwn) taken_.insert(std::string(word));
}

CNames::CNames(absl::string_view model) : CNames() {
  beginnings_ = {absl::StrCat(model, "_"), absl::StrCat(UpperCase(model), "_"), "lathe_"};
  taken_.insert(std::string(model));  // the type of instances
}

CNames CNames::OfMembers(absl::string_view model) {
  CNames names(Case::kFolds);
  names.beginnings_ = {absl::StrCat(UpperCase(model), "_")};
  return names;
}

std::string CNames::WithoutBeginnings(std::string id) const {
  for (bool found = true; found;) {
    found = false;
    for (const std::string& beginning : beginnings_) {
      if (!absl::StartsWith(id, beginning)) continue;
      id = MakeCName(absl::string_view(id).substr(beginning.size())).str();
      found = true;
    }
  }
  return id;
}

CName CNames::Unique(absl::string_view name) { return Unique(name, {}); }

CName CNames::Unique(absl::string_view name, absl::Span<const std::string> endings) {
  const std::string base = WithoutBeginnings(MakeCName(name).str());
  const auto numbered = [&](int n) {
    const bool may_begin = WithoutBeginnings(absl::StrCat(base, "_1")).size() > base.size();
    return absl::StrCat(base, may_begin ? "_" : "", n);
  };
  std::string id = MeansSomething(base) ? numbered(1) : base;
  const auto is_taken = [&] {
    return taken_.contains(Key(id)) ||
           std::any_of(endings.begin(), endings.end(), [&](const std::string& ending) {
             return taken_.contains(Key(id + ending));
           });
  };
  // Names are never released, so the search continues after the last number used for this name.
  int& next = next_[Key(base)];
  int n = id == base ? 1 : 2;
  if (endings.empty() && is_taken()) n = std::max(n, next);
  for (; is_taken(); ++n) id = numbered(n);
  if (endings.empty()) next = n;
  for (const std::string& ending : endings) taken_.insert(Key(id + ending));
  taken_.insert(Key(id));
  return CName(std::move(id));
}

std::string CNames::Key(const std::string& id) const {
  return folds_ ? absl::AsciiStrToLower(id) : id;
}

}  // namespace lathe::emit
