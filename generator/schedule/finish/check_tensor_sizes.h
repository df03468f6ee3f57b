// Checks that the target can address every tensor of a program.
#ifndef LATHE_SCHEDULE_FINISH_CHECK_TENSOR_SIZES_H_
#define LATHE_SCHEDULE_FINISH_CHECK_TENSOR_SIZES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Returns ResourceExhausted and names the tensor if one is too large, or if the sum of all tensors
// could overflow. Runs before memory planning, whose arithmetic is in bytes.
absl::Status CheckTensorSizes(const ir::Program& program, const Target& target);

// Returns ResourceExhausted if one object, such as "the arena", is too large.
absl::Status CheckObjectSize(absl::string_view object, int64_t bytes, const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_CHECK_TENSOR_SIZES_H_
