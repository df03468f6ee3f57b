#include "generator/reader/tflite/ops/windows.h"

#include <algorithm>

namespace lathe::tflite {
namespace {

constexpr int64_t kSame = 0, kValid = 1;

}  // namespace

absl::Status PadWindow(OpCall& c, int64_t padding, WindowAxis& axis) {
  if (padding != kSame && padding != kValid) {
    return c.Error() << "padding is " << padding << "; 0 is SAME and 1 is VALID";
  }
  if (axis.kernel <= 0 || axis.stride <= 0 || axis.dilation <= 0) {
    return c.Error() << "a window of " << axis.kernel << " elements has stride " << axis.stride
                     << " and dilation " << axis.dilation << "; all of them must be positive";
  }
  constexpr int64_t kLimit = int64_t{1} << 24;
  if (axis.kernel > kLimit || axis.stride > kLimit || axis.dilation > kLimit) {
    return c.Error() << "a window, stride or dilation is larger than " << kLimit;
  }
  const int64_t extent = (axis.kernel - 1) * axis.dilation + 1;
  if (padding == kValid) {
    axis.out = std::max<int64_t>(0, (axis.in - extent + axis.stride) / axis.stride);
    return absl::OkStatus();
  }
  axis.out = (axis.in + axis.stride - 1) / axis.stride;
  const int64_t total = std::max<int64_t>(0, (axis.out - 1) * axis.stride + extent - axis.in);
  axis.before = total / 2;
  axis.after = total - axis.before;
  return absl::OkStatus();
}

}  // namespace lathe::tflite
