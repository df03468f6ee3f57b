// Describes the order of the axes of images and kernels in a tensor: "NCHW", "NHWC", "NCHW4c",
// "OIHW".
//
// A letter is an axis. A number with the letter in lower case is an innermost block of that axis:
// in NCHW4c, channel c is at [n][c / 4][h][w][c % 4]. Operators are written for one order, the
// canonical one, and use this class to read and write tensors in other orders.
#ifndef LATHE_OPS_TE_LAYOUT_H_
#define LATHE_OPS_TE_LAYOUT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/op.h"
#include "generator/ops/te/scalar_math.h"

namespace lathe::ops {

class Layout {
 public:
  // Returns nullopt if `text` is not a layout of exactly the axes in `canonical`.
  static std::optional<Layout> Parse(absl::string_view text, absl::string_view canonical);
  // Returns the layout in the attribute of that name.
  static absl::StatusOr<Layout> Need(ir::InferContext& c, const ir::Call& call,
                                     const std::string& attribute, absl::string_view canonical);

  int ndim() const { return static_cast<int>(axes_.size()); }

  // Converts shapes between this layout and the canonical order. Not simplified.
  std::vector<ir::PrimRef> ToCanonical(ScalarMath m, const std::vector<ir::PrimRef>& dims) const;
  std::vector<ir::PrimRef> FromCanonical(ScalarMath m, const std::vector<ir::PrimRef>& dims) const;
  // Convert shapes likewise during inference. Fail if argument `i` has a block of another length,
  // or if an axis cannot be divided into blocks.
  absl::StatusOr<std::vector<ir::PrimRef>> Read(ir::InferContext& c, const ir::Call& call, int i,
                                                const std::vector<ir::PrimRef>& dims) const;
  absl::StatusOr<std::vector<ir::PrimRef>> Write(ir::InferContext& c, const ir::Call& call,
                                                 const std::vector<ir::PrimRef>& dims) const;
  // Converts indices.
  std::vector<ir::PrimRef> IndicesFrom(ScalarMath m, const std::vector<ir::PrimRef>& at) const;
  std::vector<ir::PrimRef> IndicesTo(ScalarMath m, const std::vector<ir::PrimRef>& at) const;

 private:
  struct Axis {
    int canonical;      // position in the canonical order
    int64_t block = 0;  // the length of an inner axis; 0: an outer axis
  };
  // Returns the block length of a canonical axis; 1 when it has no block.
  int64_t BlockOf(int canonical) const;

  std::vector<Axis> axes_;
  std::string text_, canonical_;
  int canonical_rank_ = 0;
};

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_LAYOUT_H_
