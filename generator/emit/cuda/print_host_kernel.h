// A kernel that the host computes in the order of its stream, where it is a device among GPUs: its
// loops as C, what the stream calls, and the function that enqueues the call.
#ifndef LATHE_EMIT_CUDA_PRINT_HOST_KERNEL_H_
#define LATHE_EMIT_CUDA_PRINT_HOST_KERNEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/print_callee.h"
#include "generator/emit/c/print_kernel.h"
#include "generator/ir/program.h"

namespace lathe::emit {

struct PrintedHostKernel {
  PrintedKernel kernel;                // the function that enqueues: its signature, its body
  std::vector<std::string> functions;  // before it
  int64_t given_bytes = 0;             // where what the call is given waits for it, at most
};

// It is called prefix_launch_name.
absl::StatusOr<PrintedHostKernel> PrintHostKernel(ir::Context& context, const ir::Kernel& kernel,
                                                  CNames& file_names, CNeeds& needs);

// The PrimFuncs that the kernels in `text` call, and that these call.
struct HostCallee {
  std::string name;  // in the program
  PrintedCallee function;
};
absl::StatusOr<std::vector<HostCallee>> PrintHostCallees(ir::Context& context, std::string text,
                                                         CNeeds& needs);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_HOST_KERNEL_H_
