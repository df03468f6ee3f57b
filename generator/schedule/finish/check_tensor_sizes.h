// Checks that the target has addresses for everything that a program stores.
#ifndef LATHE_SCHEDULE_FINISH_CHECK_TENSOR_SIZES_H_
#define LATHE_SCHEDULE_FINISH_CHECK_TENSOR_SIZES_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "generator/ir/program.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// Before memory is planned, whose arithmetic is in bytes. ResourceExhausted, with the tensor.
absl::Status CheckTensorSizes(const ir::Program& program, const Target& target);

// The same of one object: "the arena".
absl::Status CheckObjectSize(absl::string_view object, int64_t bytes, const Target& target);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_CHECK_TENSOR_SIZES_H_
