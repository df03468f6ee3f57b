// Lists the external functions that the bundle itself defines by NCCL, for programs that call them.
#ifndef LATHE_EMIT_CUDA_NCCL_FUNCTIONS_H_
#define LATHE_EMIT_CUDA_NCCL_FUNCTIONS_H_

#include "absl/strings/string_view.h"

namespace lathe::emit {

// Returns whether runtime-c/cuda_nccl.cpp defines `function`, a name in the program.
bool IsOfNccl(absl::string_view function);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_NCCL_FUNCTIONS_H_
