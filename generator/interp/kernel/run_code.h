// Runs code: arguments in, the result out, what it writes in the arguments' memory.
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
  Location called_at;  // where messages point that have no place of their own
};

// The scalar that the code returns; int32 0 when it returns none. What is wrong is in `diags`.
absl::StatusOr<Scalar> RunCode(const Code& code, const std::vector<PrimArg>& args,
                               const RunEnv& env);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_KERNEL_RUN_CODE_H_
