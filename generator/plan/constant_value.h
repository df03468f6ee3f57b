// Evaluates integer expressions over variables with known values.
#ifndef LATHE_PLAN_CONSTANT_VALUE_H_
#define LATHE_PLAN_CONSTANT_VALUE_H_

#include <cstdint>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/prim_expr.h"

namespace lathe::plan {

using ConstantValues = absl::flat_hash_map<ir::PrimRef, int64_t>;

// Returns nullopt for values that are not integers, that other variables or data determine, or that
// exceed 2^62.
std::optional<int64_t> ConstantValue(ir::PrimRef e, const ConstantValues& values);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_CONSTANT_VALUE_H_
