// Which tensors lie in which pool, where there are several.
#ifndef LATHE_PLAN_SPILL_H_
#define LATHE_PLAN_SPILL_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/ir/program.h"
#include "generator/plan/plan.h"

namespace lathe::plan {

using PoolOf = absl::flat_hash_map<ir::TensorId, size_t>;

// What may be done where pools are too small.
inline constexpr char kMendPools[] =
    "; make it larger, or give another one behind it with --pool NAME:SIZE";

// Everything goes to the first pool, but for what the program wants elsewhere. Where more is alive
// at one time than a pool holds, the tensor that is used least is moved to the next, the largest of
// several; what fits after all comes back, what is used most first. What a routine that calls
// itself needs is in the last, which has room for each time it runs. ResourceExhausted where what
// is left cannot be moved.
absl::StatusOr<PoolOf> Spill(const ir::Program& program, const std::vector<Pool>& pools,
                             int64_t align);

}  // namespace lathe::plan

#endif  // LATHE_PLAN_SPILL_H_
