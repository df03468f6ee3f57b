// Computes the padding of windows.
#ifndef LATHE_READER_TFLITE_OPS_WINDOWS_H_
#define LATHE_READER_TFLITE_OPS_WINDOWS_H_

#include <cstdint>

#include "generator/reader/tflite/ops/op_call.h"

namespace lathe::tflite {

// One axis of a window.
struct WindowAxis {
  int64_t in = 0, kernel = 0, stride = 1, dilation = 1;
  int64_t out = 0, before = 0, after = 0;  // results: size and padding
};

// Sets the results for the padding option of the model: 0 is SAME, where an odd pixel of padding is
// at the end; 1 is VALID. Reports an error for another option, and for a kernel, stride or dilation
// that is not positive or above 2^24.
absl::Status PadWindow(OpCall& c, int64_t padding, WindowAxis& axis);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_WINDOWS_H_
