// Runs compiled code on arguments and returns its result. Writes go to the memory of the arguments.
#ifndef LATHE_INTERP_KERNEL_RUN_CODE_H_
#define LATHE_INTERP_KERNEL_RUN_CODE_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/interp/kernel/tir_code.h"

namespace lathe::interp {

struct RunEnv {
  std::shared_ptr<MemoryBudget> budget;
  int64_t* steps_left;
  PrimCalls* calls;  // null: calls are refused
  Diagnostics* diags;
  Location called_at;  // location of messages without a location of their own
};

// Returns the scalar that the code returns, or int32 0 if it returns none. Errors are added to
// `diags`.
absl::StatusOr<Scalar> RunCode(const Code& code, const std::vector<PrimArg>& args,
                               const RunEnv& env);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_RUN_CODE_H_
