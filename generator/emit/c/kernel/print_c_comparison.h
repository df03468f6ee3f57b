// Prints comparisons of index expressions in short form: i >= 1 instead of
// INT64_C(0) <= (int64_t)i - INT64_C(1).
#ifndef LATHE_EMIT_C_KERNEL_PRINT_C_COMPARISON_H_
#define LATHE_EMIT_C_KERNEL_PRINT_C_COMPARISON_H_

#include <optional>

#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// Returns the value of the comparison `n` if one operand is a constant for which it has the same
// value for all values of the other operand: the smallest or largest integer of the dtype, or a
// number beyond the range that the other operand is widened from. Compilers warn about such
// comparisons. A min counts as <, a max as >. Returns nullopt otherwise.
std::optional<bool> DecidedByType(const ir::Binary& n);

// Prints the comparison `n` without casts, with a constant on the right. Returns nullopt if `n`
// does not compare index expressions, or if a subexpression may not fit the width of the scope's
// loop variables.
absl::StatusOr<std::optional<CText>> PrintCComparison(CScope& scope, const ir::Binary& n);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_C_COMPARISON_H_
