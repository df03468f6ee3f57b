// Prints kernels that sort rows. They call lathe/cuda_sorts.h.
#ifndef LATHE_EMIT_CUDA_PRINT_SORT_ROWS_H_
#define LATHE_EMIT_CUDA_PRINT_SORT_ROWS_H_

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/cuda/grid_text.h"
#include "generator/ir/device/launch.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// Prints the kernel body to `out`. Returns the head of the kernel and its launch configuration.
absl::StatusOr<GridText> PrintSortRows(CScope& scope, const ir::SortRows& sort, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_PRINT_SORT_ROWS_H_
