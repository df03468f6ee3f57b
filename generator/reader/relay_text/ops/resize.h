// Resizes images to sizes that may be symbolic.
#ifndef LATHE_READER_RELAY_TEXT_OPS_RESIZE_H_
#define LATHE_READER_RELAY_TEXT_OPS_RESIZE_H_

#include <string>
#include <vector>

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// image.resize* by the attributes of the call.
absl::StatusOr<Operand> Resized(OpCall& c, Operand x, Dims size);
// nn.upsampling* by the attributes of the call.
absl::StatusOr<Operand> Upsampled(OpCall& c, const Operand& x, const Dims& size);
// The sizes of the spatial axes of `x` times scales.
absl::StatusOr<Dims> ScaledSize(OpCall& c, const Operand& x, const std::vector<double>& scales);

// The rounding of R.image.resize* that acts as Relay's.
std::string ResizeRounding(const std::string& rounding, const std::string& mode);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_RESIZE_H_
