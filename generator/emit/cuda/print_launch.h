// The launches of a kernel as CUDA: functions of the GPU, and one of the host that enqueues them.
//
//   __global__ void net_add(...)          what each thread does
//   int net_launch_add(..., stream)       how large the grids are, one after the other
#ifndef LATHE_EMIT_CUDA_PRINT_LAUNCH_H_
#define LATHE_EMIT_CUDA_PRINT_LAUNCH_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/print_kernel.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/program.h"

namespace lathe::emit {

// Which of the generated files a kernel is in: those that take long to compile, or that somebody
// wants to replace, lie apart.
enum class KernelFamily {
  kElementwise,
  kRows,
  kReduction,
  kSerial,
  kProduct,
  kAttention,
  kScheduled
};

struct FamilyFile {
  const char* stem;     // what the file is called behind the model's name: "elementwise"
  const char* summary;  // what its kernels are, for the comment at its top
};
const FamilyFile& FileOf(KernelFamily family);

KernelFamily FamilyOf(const ir::GridLaunches& launches);

struct PrintedLaunches {
  PrintedKernel kernel;                // the function of the host: its signature, its body
  std::vector<std::string> functions;  // of the GPU, each with its name
};

// `prefix` is the model's name; the kernel is called prefix_name on the GPU, prefix_launch_name on
// the host.
absl::StatusOr<PrintedLaunches> PrintLaunches(ir::Context& context, const ir::Kernel& kernel,
                                              const ir::GridLaunches& launches, CNames& file_names,
                                              CNeeds& needs);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_LAUNCH_H_
