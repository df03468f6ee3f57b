// Attention as what blocks do: lathe/cuda_attention.h and lathe/cuda_mma_attention.h, told what
// queries, keys and values are, what a score is, and what becomes of a result.
#ifndef LATHE_EMIT_CUDA_PRINT_ATTENTION_H_
#define LATHE_EMIT_CUDA_PRINT_ATTENTION_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

absl::StatusOr<GridText> PrintAttention(CScope& scope, const ir::Attention& attention,
                                        LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_ATTENTION_H_
