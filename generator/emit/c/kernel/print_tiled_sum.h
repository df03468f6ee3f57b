// Prints matrix products and convolutions as C. They are computed in tiles whose sums stay in
// vector registers.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_TILED_SUM_H_
#define LATHE_EMIT_C_KERNEL_PRINT_TILED_SUM_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/kernel_form.h"
#include "generator/support/line_writer.h"

namespace lathe::emit {

// The parameters of a kernel. The function of a tile declares those that its body uses.
struct KernelParams {
  std::vector<std::string> declarations;  // "const float *x"
  std::vector<std::string> names;
};

// Appends the loops over all tiles to `out`, for the kernel `kernel`. Returns the text of the
// function `name`, which computes one tile; it belongs before the kernel. Fails if an expression
// has no C form.
absl::StatusOr<std::string> PrintTiledSum(CScope& scope, const ir::TiledSum& sum, int lanes,
                                          const KernelParams& params, const std::string& kernel,
                                          const std::string& name, LineWriter& out);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_TILED_SUM_H_
