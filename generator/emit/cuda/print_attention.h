// Prints attention kernels. They call lathe/cuda_attention.h or lathe/cuda_mma_attention.h with
// lambdas for the queries, keys, values and scores, and for the store of a result.
#ifndef LATHE_EMIT_CUDA_PRINT_ATTENTION_H_
#define LATHE_EMIT_CUDA_PRINT_ATTENTION_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints the kernel body to `out`. Returns the head of the kernel and its launch configuration.
absl::StatusOr<GridText> PrintAttention(CScope& scope, const ir::Attention& attention,
                                        LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_ATTENTION_H_
