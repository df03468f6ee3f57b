// What mean something in CUDA's C++ and nothing in C: no variable is called so.
#ifndef LATHE_EMIT_CUDA_CUDA_NAMES_H_
#define LATHE_EMIT_CUDA_CUDA_NAMES_H_

#include "generator/emit/c_names.h"

namespace lathe::emit {

// Takes them, and what the text around kernels calls its own variables.
void ReserveCudaNames(CNames& names);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_CUDA_NAMES_H_
