// Computes the sizes of the axes that Resize changes.
#ifndef LATHE_READER_ONNX_RESIZED_AXES_H_
#define LATHE_READER_ONNX_RESIZED_AXES_H_

#include <optional>
#include <string>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// An axis whose size changes.
struct ResizedAxis {
  size_t axis = 0;
  PrimRef from = nullptr, to = nullptr;
  std::optional<double> scale;  // if it is constant
  int64_t entry = 0;            // index into scales, sizes and roi
  bool declared = false;        // `to` is the declared size; inputs are checked at run time
};

struct ResizeSettings {
  std::string mode, placing, nearest, policy;
  double cubic_a = -0.75, outside = 0;
  bool antialias = false, exclude_outside = false;
  int scales = -1, sizes = -1, roi = -1;  // indices of kernel inputs
};

// The sizes or scales that a node has, if they are constant, and its axes.
struct ResizeSizes {
  const std::optional<std::vector<double>>& scales;
  const std::optional<std::vector<int64_t>>& sizes;
  const std::vector<int>& along;
  int scales_in;  // the input with the scales
};

// Sets the size of `a`, axis `k` of `w.along`: a constant, the declared size, or a new shape
// variable that the run computes. Fails, after a report, if the size is invalid or depends on other
// sizes that are dynamic.
absl::Status SizeAxis(NodeCall& n, const ResizeSettings& s, const ResizeSizes& w, size_t k,
                      ResizedAxis& a);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_RESIZED_AXES_H_
