// Prints kernels that run on the host in stream order, for programs in which the host is a device
// among GPUs: the loops as C, the callback of the stream, and the function that enqueues it.
#ifndef LATHE_EMIT_CUDA_PRINT_HOST_KERNEL_H_
#define LATHE_EMIT_CUDA_PRINT_HOST_KERNEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_callee.h"
#include "generator/emit/c/kernel/print_kernel.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/program.h"

namespace lathe::emit {

// A kernel of the host.
struct PrintedHostKernel {
  PrintedKernel kernel;                // signature and body of the function that enqueues
  std::vector<std::string> functions;  // definitions that precede it: loops, struct, callback
  int64_t given_bytes = 0;             // upper bound of the bytes of the call's arguments
};

// Prints `kernel`. The function that enqueues it is called PREFIX_launch_NAME; PREFIX is
// needs.prefix.
absl::StatusOr<PrintedHostKernel> PrintHostKernel(ir::Context& context, const ir::Kernel& kernel,
                                                  CNames& file_names, CNeeds& needs);

// A PrimFunc that kernels of the host call.
struct HostCallee {
  std::string name;  // its name in the program
  PrintedCallee function;
};
// Prints the PrimFuncs that the kernels in `text` call directly or indirectly.
absl::StatusOr<std::vector<HostCallee>> PrintHostCallees(ir::Context& context, std::string text,
                                                         CNeeds& needs);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_HOST_KERNEL_H_
