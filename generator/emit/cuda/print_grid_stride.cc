#include "generator/emit/cuda/print_grid_stride.h"

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_c_stmt.h"
#include "generator/emit/cuda/print_strided_loop.h"
#include "generator/support/status.h"

namespace lathe::emit {

absl::StatusOr<GridText> PrintGridStride(CScope& scope, const ir::GridStride& grid, bool fails,
                                         LineWriter& out) {
  const auto body = [&] { return PrintCStmt(scope, grid.body, fails, out); };
  GridText text;
  if (grid.axes.empty()) {
    LATHE_RETURN_IF_ERROR(body());
    text.ways = {{"", "", "1", "1"}};
    return text;
  }
  const LoopShare threads = {"lathe_thread()", "lathe_threads()", grid.group};
  LATHE_ASSIGN_OR_RETURN(const CText count, PrintStridedLoop(scope, grid.axes, threads, body, out));
  const std::string blocks =
      grid.group == 1 ? absl::StrCat("lathe_blocks(", count.text, ")")
                      : absl::StrCat("lathe_wide_blocks(", count.text, ", ", grid.group, ")");
  text.ways = {{"", "", blocks, "LATHE_BLOCK"}};
  return text;
}

}  // namespace lathe::emit
