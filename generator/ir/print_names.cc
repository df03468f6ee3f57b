#include "generator/ir/print_names.h"

#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "generator/ir/tir.h"
#include "generator/support/check.h"
#include "generator/support/match.h"
#include "generator/support/utf8.h"

namespace lathe::ir {
namespace {

// Sorted. Includes only builtins that programs may call; `input`, `sum` and similar names are
// common for tensors.
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
  for (size_t at = 0; at < hint.size();) {
    const DecodedChar c = DecodeChar(hint, at);
    const bool valid = c.code < 0x80 || Utf8Length(hint, at) > 0;
    if (valid && MayBeInName(c.code)) {
      absl::StrAppend(&name, hint.substr(at, c.length));
    } else {
      name += '_';
    }
    at += c.length;
  }
  if (name.empty()) return "v";
  if (absl::ascii_isdigit(name.front())) name.insert(name.begin(), '_');
  return name;
}

bool IsReservedName(absl::string_view name) {
  return std::binary_search(kReserved.begin(), kReserved.end(), name);
}

std::string PrintNames::Fresh(absl::string_view hint, bool may_be_reserved) {
  const std::string base = ToIdentifier(hint);
  const auto refused = [&](const std::string& name) {
    return taken_.contains(name) || (!may_be_reserved && reserved_.contains(name));
  };
  std::string name = base;
  if (IsReservedName(base) || refused(base)) {
    // Reserved names do not skip the number of one that may have them.
    int own_suffix = 0;
    int& suffix = may_be_reserved ? own_suffix : next_suffix_[base];
    do {
      name = absl::StrCat(base, "_", ++suffix);
    } while (refused(name));
  }
  taken_.insert(name);
  assigned_.push_back({name, {}});
  return name;
}

void PrintNames::Forget(size_t start) {
  for (size_t i = start; i < assigned_.size(); ++i) {
    taken_.erase(assigned_[i].name);
    Match(
        assigned_[i].owner, [](std::monostate) {}, [&](int id) { scalars_.erase(id); },
        [&](BufferRef buffer) { buffers_.erase(buffer); },
        [&](ValueId value) { values_.erase(value.index); });
  }
  if (start < assigned_.size()) next_suffix_.clear();
  assigned_.resize(start);
}

std::string PrintNames::OfTypeVar(PrimRef var) {
  const auto* symbol = var->As<SymVar>();
  LATHE_CHECK(symbol != nullptr, "only variables have names");
  const auto it = scalars_.find(symbol->id);
  if (it != scalars_.end()) return it->second;
  const std::string name = Fresh(symbol->name, /*may_be_reserved=*/true);
  assigned_.back().owner = symbol->id;
  return scalars_[symbol->id] = name;
}

std::string PrintNames::Of(PrimRef var) {
  const auto* symbol = var->As<SymVar>();
  LATHE_CHECK(symbol != nullptr, "only variables have names");
  const auto it = scalars_.find(symbol->id);
  if (it != scalars_.end()) return it->second;
  const std::string name = Fresh(symbol->name);
  assigned_.back().owner = symbol->id;
  return scalars_[symbol->id] = name;
}

std::string PrintNames::Of(BufferRef buffer) {
  const auto it = buffers_.find(buffer);
  if (it != buffers_.end()) return it->second;
  const std::string name = Fresh(buffer->name);
  assigned_.back().owner = buffer;
  return buffers_[buffer] = name;
}

std::string PrintNames::Of(ValueId value, absl::string_view hint) {
  const auto it = values_.find(value.index);
  if (it != values_.end()) return it->second;
  const std::string name = Fresh(hint);
  assigned_.back().owner = value;
  return values_[value.index] = name;
}

bool PrintNames::Has(PrimRef var) const {
  const auto* symbol = var->As<SymVar>();
  return symbol != nullptr && scalars_.contains(symbol->id);
}

void PrintNames::Alias(PrimRef var, absl::string_view name) {
  const auto* symbol = var->As<SymVar>();
  LATHE_CHECK(symbol != nullptr, "only variables have names");
  if (scalars_.emplace(symbol->id, name).second) assigned_.push_back({"", symbol->id});
}

void PrintNames::Alias(ValueId value, absl::string_view name) {
  if (values_.emplace(value.index, name).second) assigned_.push_back({"", value});
}

}  // namespace lathe::ir
