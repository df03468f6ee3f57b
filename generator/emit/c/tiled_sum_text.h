// A tiled sum while it is printed: the names that its tile, and the loops over all tiles, have in
// common.
#ifndef LATHE_EMIT_C_TILED_SUM_TEXT_H_
#define LATHE_EMIT_C_TILED_SUM_TEXT_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/print_tiled_sum.h"
#include "generator/ir/kernel_form.h"

namespace lathe::emit {

class TiledSumText {
 public:
  TiledSumText(CScope& scope, const ir::TiledSum& sum, int lanes, const KernelParams& params,
               const std::string& kernel, const std::string& name);

  using PrimRef = ir::PrimRef;

  std::string Own(const std::string& name);
  std::string Vector() const;
  std::string VectorCount() const;
  std::vector<std::string> Parameters() const;
  std::string Call(const std::string& column, int64_t count, const std::string& rows) const;
  // variable * stride, nothing for no stride.
  absl::StatusOr<std::string> Times(const std::string& variable, PrimRef stride);

  CScope& scope_;
  ir::Context& ir_;
  const ir::TiledSum& sum_;
  const int lanes_;
  const KernelParams& params_;
  std::set<std::string> given_;  // what the tile needs of them, and of places
  const std::string& kernel_;
  const std::string& function_;
  const int64_t width_;
  const int64_t columns_;
  const int64_t tail_;  // columns of the last panel, where it is not full
  const std::string index_;
  int64_t innermost_ = 0;
  bool blocked_ = false;
  std::vector<std::string> outer_;
  std::string row_, column_, first_row_, first_column_;
  std::string sums_ = "sums", r_ = "r", v_ = "v", rows_ = "rows", count_ = "columns",
              vectors_ = "vectors", part_ = "part", k_begin_ = "k_begin", k_end_ = "k_end";
};

int64_t NumberOf(ir::PrimRef e);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_TILED_SUM_TEXT_H_
