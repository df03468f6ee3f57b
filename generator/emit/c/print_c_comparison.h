// Comparisons of places: i >= 1, not INT64_C(0) <= (int64_t)i - INT64_C(1).
#ifndef LATHE_EMIT_C_PRINT_C_COMPARISON_H_
#define LATHE_EMIT_C_PRINT_C_COMPARISON_H_

#include <optional>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/print_c_expr.h"

namespace lathe::emit {

// Whether `n`, a comparison, min (<) or max (>), holds for all integers of its type or for none: of
// a side that is the least or the largest of them. Compilers complain of such comparisons.
std::optional<bool> DecidedByType(const ir::Binary& n);

// `n` as integers without types of their own, what varies on the left. Nothing where it is no
// comparison of places, or a part of it may not fit the width of the scope's loop variables.
absl::StatusOr<std::optional<CText>> PrintCComparison(CScope& scope, const ir::Binary& n);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_C_COMPARISON_H_
