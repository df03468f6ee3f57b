// Sampling between the elements of a tensor: how much each of the nearest few counts.
#ifndef LATHE_OPS_INTERPOLATION_H_
#define LATHE_OPS_INTERPOLATION_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/ops/scalar_math.h"

namespace lathe::ops {

// In a bin of a region, along an axis, at most.
inline constexpr int64_t kMaxSamples = 1024;

// The methods by how many elements of an axis they look at; 0 for a name that is none.
// "nearest_neighbor" and "nearest": 1, "linear" and "bilinear": 2, "cubic" and "bicubic": 4.
int TapsOf(absl::string_view method);

// The first element that counts at the float position `at`, as int64: floor(at) for 2 taps, one
// before for 4.
ir::PrimRef FirstTap(ScalarMath& m, ir::PrimRef at, int taps);

// How much an element counts that is `distance` >= 0 away. `alpha` is the slope of the cubic spline
// one element away, where it reaches 0.
ir::PrimRef TapWeight(ScalarMath& m, ir::PrimRef distance, int taps, double alpha);

}  // namespace lathe::ops

#endif  // LATHE_OPS_INTERPOLATION_H_
