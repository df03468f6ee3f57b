// Checks that the target can address every tensor of a program.
#ifndef LATHE_SCHEDULE_FINISH_CHECK_TENSOR_SIZES_H_
#define LATHE_SCHEDULE_FINISH_CHECK_TENSOR_SIZES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Runs before memory planning, whose arithmetic is in bytes. Returns ResourceExhausted and names
// the tensor.
absl::Status CheckTensorSizes(const ir::Program& program, const Target& target);

// Checks one object, such as "the arena".
absl::Status CheckObjectSize(absl::string_view object, int64_t bytes, const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_CHECK_TENSOR_SIZES_H_
