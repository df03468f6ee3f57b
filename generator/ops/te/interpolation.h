// Computes the taps and weights of interpolation between elements of a tensor.
#ifndef LATHE_OPS_TE_INTERPOLATION_H_
#define LATHE_OPS_TE_INTERPOLATION_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/ops/te/scalar_math.h"

namespace lathe::ops {

// The maximum number of samples along an axis of a bin of a region.
inline constexpr int64_t kMaxSamples = 1024;

// Returns the number of elements of an axis that a method reads; 0 for an unknown method.
// "nearest_neighbor" and "nearest": 1, "linear" and "bilinear": 2, "cubic" and "bicubic": 4.
int TapsOf(absl::string_view method);

// Returns the first tap at the float position `at`, as int64: floor(at) for 2 taps, one before for
// 4.
ir::PrimRef FirstTap(ScalarMath& m, ir::PrimRef at, int taps);

// Returns the weight of an element at `distance` >= 0. `alpha` is the slope of the cubic spline at
// distance 1, where it reaches 0.
ir::PrimRef TapWeight(ScalarMath& m, ir::PrimRef distance, int taps, double alpha);

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_INTERPOLATION_H_
