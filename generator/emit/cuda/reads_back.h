// Decides whether a run depends on data, so that the host has to wait for the stream.
#ifndef LATHE_EMIT_CUDA_READS_BACK_H_
#define LATHE_EMIT_CUDA_READS_BACK_H_

#include "generator/ir/program.h"

namespace lathe::emit {

// Returns whether a step of `program` reads an element of a tensor on the host, or branches on or
// asserts the value of a tensor.
bool ReadsBack(const ir::Program& program);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_READS_BACK_H_
