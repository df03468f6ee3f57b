// The functions from outside that a bundle has itself, for programs that want them.
#ifndef LATHE_EMIT_CUDA_NCCL_FUNCTIONS_H_
#define LATHE_EMIT_CUDA_NCCL_FUNCTIONS_H_

#include "absl/strings/string_view.h"

namespace lathe::emit {

// Whether runtime-c/cuda_nccl.cpp defines it, by its name in the program.
bool IsOfNccl(absl::string_view function);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_NCCL_FUNCTIONS_H_
