// Resizes images to sizes that may be symbolic.
#ifndef LATHE_READER_RELAY_TEXT_OPS_RESIZE_H_
#define LATHE_READER_RELAY_TEXT_OPS_RESIZE_H_

#include <string>
#include <vector>

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Emits image.resize* according to the attributes of the call.
absl::StatusOr<Operand> Resized(OpCall& c, Operand x, Dims size);
// Emits nn.upsampling* according to the attributes of the call.
absl::StatusOr<Operand> Upsampled(OpCall& c, const Operand& x, const Dims& size);
// Returns the sizes of the spatial axes of `x` times their scales, rounded. Reports an error for a
// fractional scale of a symbolic size.
absl::StatusOr<Dims> ScaledSize(OpCall& c, const Operand& x, const std::vector<double>& scales);

// Returns the rounding of R.image.resize* that is equivalent to Relay's.
std::string ResizeRounding(const std::string& rounding, const std::string& mode);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_RESIZE_H_
