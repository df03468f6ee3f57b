// The window of a pooling operator: where it lies over the image, and what it meets there.
#ifndef LATHE_OPS_POOL_WINDOW_H_
#define LATHE_OPS_POOL_WINDOW_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ops/te.h"

namespace lathe::ops {

// Spatial axes, by the operator's name: 2 for max_pool2d; and their canonical layout.
int PoolRank(const ir::Call& call);
std::string PoolLayout(int rank);

struct PoolWindow {
  std::vector<int64_t> size, strides, padding, dilation;
  bool ceil = false;

  Dims Over(ScalarMath& m) const;
  int64_t Elements() const;
  bool has_padding() const;
  // The image's element, in canonical order, that window `at` meets at offset `r`, and whether
  // there is one.
  std::pair<Indices, ir::PrimRef> Meet(ScalarMath& m, const Indices& at, const Indices& r,
                                       const Dims& image) const;
  // Whether an average counts what window `at` has at offset `r`: an element of the image, with
  // `pads` also padding, but not what lies behind that when lengths are rounded up.
  ir::PrimRef Counts(ScalarMath& m, const Indices& at, const Indices& r, const Dims& image,
                     bool pads) const;
};

// For inference, with errors; and after it.
absl::StatusOr<PoolWindow> NeedWindow(ir::InferContext& c, const ir::Call& call);
PoolWindow WindowOf(const ir::Call& call);

}  // namespace lathe::ops

#endif  // LATHE_OPS_POOL_WINDOW_H_
