// Prints a kernel as CUDA: a __global__ function for each launch, and a host function that enqueues
// the launches in order.
//
//   __global__ void net_add(...)          the code of a thread
//   int net_launch_add(..., stream)       computes the grid sizes and enqueues the launches
#ifndef LATHE_EMIT_CUDA_PRINT_LAUNCH_H_
#define LATHE_EMIT_CUDA_PRINT_LAUNCH_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_kernel.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"

namespace lathe::emit {

// The generated .cu file of a kernel. Kernels that are slow to compile, or that users may want to
// replace, have separate files.
enum class KernelFamily {
  kElementwise,  // one element in each iteration of a thread
  kRows,         // teams of threads cooperate on rows or columns
  kReduction,    // one thread computes an element in a loop
  kSerial,       // a single thread
  kProduct,      // matrix products
  kAttention,    // attention
  kScheduled     // loops that the program binds to threads
};

// The file of a family.
struct FamilyFile {
  const char* stem;     // suffix of the file name after the model's name: "elementwise"
  const char* summary;  // describes the kernels in the comment at the top of the file
};
// Returns the file name and summary of `family`.
const FamilyFile& FileOf(KernelFamily family);

// Returns the family of a kernel: the last one, in the order of KernelFamily, of its launches.
KernelFamily FamilyOf(const ir::GridLaunches& launches);

// A kernel as CUDA.
struct PrintedLaunches {
  PrintedKernel kernel;                // signature and body of the host function
  std::vector<std::string> functions;  // definitions of the __global__ functions
};

// Prints `kernel` with `launches`. The host function is called PREFIX_launch_KERNEL and a
// __global__ function PREFIX_KERNEL, or PREFIX_KERNEL_LAUNCH if there are several launches. PREFIX
// is needs.prefix, the name of the model. Fails on anything that cannot be printed as CUDA.
absl::StatusOr<PrintedLaunches> PrintLaunches(ir::Context& context, const ir::Kernel& kernel,
                                              const ir::GridLaunches& launches, CNames& file_names,
                                              CNeeds& needs);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_LAUNCH_H_
