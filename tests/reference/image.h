// Images of [N, C, ...] resized as ONNX (Resize) defines it and sampled as PyTorch (grid_sample,
// affine_grid) does.
#ifndef LATHE_TESTS_REFERENCE_IMAGE_H_
#define LATHE_TESTS_REFERENCE_IMAGE_H_

#include <string>

#include "tests/reference/array.h"

namespace lathe::reference {

struct ResizeNumbers {
  std::string method = "linear";     // "nearest_neighbor", "linear", "cubic"
  std::string mode = "half_pixel";   // how places of the result become places of the image
  std::string rounding = "floor";    // of "nearest_neighbor"
  double alpha = -0.75;              // of "cubic"
  bool excludes = false;             // weights outside the image count nothing
  std::vector<double> starts, ends;  // of the region, an axis at a time, for tf_crop_and_resize
  double outside = 0;                // what is beyond the image there
};

Array Resize(const Array& x, const Shape& size, const ResizeNumbers& n);

struct SampleNumbers {
  std::string method = "bilinear";  // "nearest", "bilinear", "bicubic"
  std::string padding = "zeros";    // "border", "reflection"
  bool corners = false;
};

// The grid is [N, axes, ...]: x, y, z of -1 to 1 for each element of the result.
Array GridSample(const Array& x, const Array& grid, const SampleNumbers& n);

// Each matrix of [N, axes, axes + 1] times (x, y, z, 1) of each place of the size.
Array AffineGrid(const Array& matrices, const Shape& size, bool corners);

}  // namespace lathe::reference

#endif  // LATHE_TESTS_REFERENCE_IMAGE_H_
