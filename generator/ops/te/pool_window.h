// Describes the window of a pooling operator and the image elements it covers.
#ifndef LATHE_OPS_TE_POOL_WINDOW_H_
#define LATHE_OPS_TE_POOL_WINDOW_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ops/te/te.h"

namespace lathe::ops {

// Returns the number of spatial axes, from the operator's name: 2 for max_pool2d. PoolLayout is
// their canonical layout.
int PoolRank(const ir::Call& call);
std::string PoolLayout(int rank);

struct PoolWindow {
  std::vector<int64_t> size, strides, padding, dilation;
  bool ceil = false;

  Dims Over(ScalarMath& m) const;
  int64_t Elements() const;
  bool has_padding() const;
  // Returns the image element, in canonical order, at offset `r` of window `at`, and the condition
  // that it exists.
  std::pair<Indices, ir::PrimRef> ElementAt(ScalarMath& m, const Indices& at, const Indices& r,
                                            const Dims& image) const;
  // Returns the condition that an average counts offset `r` of window `at`: an element of the image
  // or, with `pads`, padding, but not the positions after the padding that rounding up the lengths
  // adds.
  ir::PrimRef Counts(ScalarMath& m, const Indices& at, const Indices& r, const Dims& image,
                     bool pads) const;
};

// NeedWindow is for inference and reports errors; WindowOf is for use after inference.
absl::StatusOr<PoolWindow> NeedWindow(ir::InferContext& c, const ir::Call& call);
PoolWindow WindowOf(const ir::Call& call);

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_POOL_WINDOW_H_
