// Decides whether a run depends on data, so that the host has to wait for the stream.
#ifndef LATHE_EMIT_CUDA_READS_BACK_H_
#define LATHE_EMIT_CUDA_READS_BACK_H_

#include "generator/ir/program.h"

namespace lathe::emit {

bool ReadsBack(const ir::Program& program);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_READS_BACK_H_
