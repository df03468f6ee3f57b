// Reads literal arguments of calls.
#ifndef LATHE_IR_LITERAL_VALUE_H_
#define LATHE_IR_LITERAL_VALUE_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "generator/ir/prim_expr.h"

namespace lathe::ir {

// Returns the text of a string literal, or an empty text for other expressions.
inline absl::string_view TextOf(PrimRef e) {
  const auto* text = e->As<StringImm>();
  return text == nullptr ? absl::string_view() : absl::string_view(text->value);
}

// Returns whether an integer literal is not zero, or nullopt for other expressions.
inline std::optional<bool> TruthOf(PrimRef e) {
  const auto* number = e->As<IntImm>();
  if (number == nullptr) return std::nullopt;
  return number->value != 0;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_LITERAL_VALUE_H_
