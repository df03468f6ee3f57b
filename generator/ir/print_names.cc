#include "generator/ir/print_names.h"

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/tir.h"
#include "generator/support/check.h"

namespace lathe::ir {
namespace {

// Sorted. Builtins are here only when a program may call them; `input`, `sum` and their like are
// names people give tensors.
constexpr std::array<absl::string_view, 57> kReserved = {
    "False",    "I",     "None",   "R",        "T",      "True",     "Tx",     "TypeVar", "abs",
    "and",      "as",    "assert", "async",    "await",  "bool",     "break",  "class",   "cls",
    "continue", "def",   "del",    "dict",     "elif",   "else",     "except", "finally", "float",
    "for",      "from",  "global", "if",       "import", "in",       "int",    "is",      "lambda",
    "len",      "list",  "max",    "metadata", "min",    "nonlocal", "not",    "np",      "or",
    "pass",     "raise", "range",  "return",   "slice",  "str",      "try",    "tuple",   "tvm",
    "while",    "with",  "yield"};
static_assert(std::is_sorted(kReserved.begin(), kReserved.end()));

}  // namespace

std::string ToIdentifier(absl::string_view hint) {
  std::string name;
  for (char c : hint) name.push_back(absl::ascii_isalnum(c) ? c : '_');
  if (name.empty()) return "v";
  if (absl::ascii_isdigit(name.front())) name.insert(name.begin(), '_');
  return name;
}

bool IsReservedName(absl::string_view name) {
  return std::binary_search(kReserved.begin(), kReserved.end(), name);
}

std::string PrintNames::Fresh(absl::string_view hint) {
  const std::string base = ToIdentifier(hint);
  if (!IsReservedName(base) && taken_.insert(base).second) return base;
  int& suffix = next_suffix_[base];
  for (;;) {
    std::string name = absl::StrCat(base, "_", ++suffix);
    if (taken_.insert(name).second) return name;
  }
}

std::string PrintNames::Of(PrimRef var) {
  const auto* symbol = var->As<SymVar>();
  LATHE_CHECK(symbol != nullptr, "only variables have names");
  const auto it = scalars_.find(symbol->id);
  if (it != scalars_.end()) return it->second;
  return scalars_.emplace(symbol->id, Fresh(symbol->name)).first->second;
}

std::string PrintNames::Of(BufferRef buffer) {
  const auto it = buffers_.find(buffer);
  if (it != buffers_.end()) return it->second;
  return buffers_.emplace(buffer, Fresh(buffer->name)).first->second;
}

std::string PrintNames::Of(ValueId value, absl::string_view hint) {
  const auto it = values_.find(value.index);
  if (it != values_.end()) return it->second;
  return values_.emplace(value.index, Fresh(hint)).first->second;
}

bool PrintNames::Has(PrimRef var) const {
  const auto* symbol = var->As<SymVar>();
  return symbol != nullptr && scalars_.contains(symbol->id);
}

void PrintNames::Alias(PrimRef var, absl::string_view name) {
  const auto* symbol = var->As<SymVar>();
  LATHE_CHECK(symbol != nullptr, "only variables have names");
  scalars_[symbol->id] = std::string(name);
}

void PrintNames::Alias(ValueId value, absl::string_view name) {
  values_[value.index] = std::string(name);
}

}  // namespace lathe::ir
