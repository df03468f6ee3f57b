// Holds the names and properties that the two printers of a tiled sum share: print_tile.cc prints
// the function that computes one tile, print_tile_loops.cc the loops that call it for all tiles. A
// tiled sum (ir::TiledSum) is a reduction, such as a matrix product, that accumulates a tile of
// rows x columns in registers.
#ifndef LATHE_EMIT_C_KERNEL_TILED_SUM_TEXT_H_
#define LATHE_EMIT_C_KERNEL_TILED_SUM_TEXT_H_

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/kernel/print_tiled_sum.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/kernel_form.h"

namespace lathe::emit {

class TiledSumText {
 public:
  TiledSumText(CScope& scope, const ir::TiledSum& sum, int lanes, const KernelParams& params,
               const std::string& kernel, const std::string& name);

  using PrimRef = ir::PrimRef;

  // Returns a name that is unique in the kernel and starts with `name`.
  std::string UniqueName(const std::string& name);
  // Returns the number of vectors in a row of the tile: a constant, or the name of a parameter if
  // the last panel has fewer columns.
  std::string VectorCount() const;
  // Returns the declarations of the tile function's parameters.
  std::vector<std::string> Parameters() const;
  // Returns the call of the tile function for the tile that starts at column `column` and has
  // `count` columns and `rows` rows.
  std::string Call(const std::string& column, int64_t count, const std::string& rows) const;
  // Returns the type of the elements of panels. Pairs of integers of 4 bits are read as int8_t.
  std::string PanelType() const;
  // Returns `variable * stride` as C, or an empty text if `stride` is 0.
  absl::StatusOr<std::string> Times(const std::string& variable, PrimRef stride);

  CScope& scope_;
  ir::Context& ir_;
  const ir::TiledSum& sum_;
  const int lanes_;
  const KernelParams& params_;
  // The names of the kernel's parameters and loop variables that become parameters of the tile
  // function.
  std::set<std::string> captured_;
  const std::string& kernel_;
  const std::string& function_;
  const int64_t width_;
  const int64_t columns_;
  const int64_t tail_;  // the number of columns of the last panel, or 0 if it is full
  const std::string index_;
  int64_t innermost_ = 0;
  bool blocked_ = false;
  std::vector<std::string> outer_;
  std::string row_, column_, first_row_, first_column_;
  std::string sums_ = "sums", r_ = "r", v_ = "v", rows_ = "rows", count_ = "columns",
              vectors_ = "vectors", part_ = "part", k_begin_ = "k_begin", k_end_ = "k_end";
};

// Returns the value of `e`, which must be an integer constant.
int64_t NumberOf(ir::PrimRef e);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_TILED_SUM_TEXT_H_
