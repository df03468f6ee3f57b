// Reads and validates the window attributes that convolutions and pools share.
#ifndef LATHE_READER_ONNX_WINDOWS_H_
#define LATHE_READER_ONNX_WINDOWS_H_

#include <algorithm>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

struct Windows {
  std::vector<int64_t> kernel, strides, dilations, before, after;
  // Padding that depends on a size that is not constant; null for other axes. Empty if there is
  // none.
  Dims symbolic_before, symbolic_total;
  bool ceil = false;

  bool has_symbolic() const { return !symbolic_before.empty(); }
  bool is_symbolic(size_t i) const { return has_symbolic() && symbolic_before[i] != nullptr; }
  bool has_padding() const {
    const auto pads = [](int64_t p) { return p != 0; };
    return has_symbolic() || std::any_of(before.begin(), before.end(), pads) ||
           std::any_of(after.begin(), after.end(), pads);
  }
  size_t rank() const { return kernel.size(); }
  int64_t span(size_t i) const { return dilations[i] * (kernel[i] - 1) + 1; }
};

// Reads the attributes of a node for an image of the spatial dimensions `space`. The padding of
// auto_pad=SAME_* that depends on sizes that are not constant is refused unless
// `symbolic_is_allowed`.
absl::StatusOr<Windows> WindowsOf(NodeCall& n, const Dims& space,
                                  const std::vector<int64_t>& kernel,
                                  bool symbolic_is_allowed = false);

// Computes the number of windows along each dimension.
absl::StatusOr<Dims> CountWindows(NodeCall& n, const Windows& w, const Dims& space);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_WINDOWS_H_
