// Evaluates integer expressions over variables with known values.
#ifndef LATHE_ANALYSIS_ARITHMETIC_CONSTANT_VALUE_H_
#define LATHE_ANALYSIS_ARITHMETIC_CONSTANT_VALUE_H_

#include <cstdint>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/prim_expr.h"

namespace lathe::analysis {

using ConstantValues = absl::flat_hash_map<ir::PrimRef, int64_t>;

// Returns the value of `e`, with the variables of `values`. Returns nullopt if it depends on other
// variables or on data, is not an integer, exceeds 2^62, wraps around in its dtype, or contains an
// operation that is not evaluated here, such as a shift or a function call.
std::optional<int64_t> ConstantValue(ir::PrimRef e, const ConstantValues& values);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ARITHMETIC_CONSTANT_VALUE_H_
