// Rescales quantized integers by the fixed-point definition of Relay.
#ifndef LATHE_READER_RELAY_TEXT_OPS_REQUANTIZE_H_
#define LATHE_READER_RELAY_TEXT_OPS_REQUANTIZE_H_

#include <string>
#include <vector>

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// factor = multiplier / 2^31 * 2^shift, with a multiplier of 31 bits.
struct FixedPoint {
  int64_t multiplier = 0;
  int shift = 0;
};
FixedPoint FixedPointOf(double factor);

// Returns x * factor in int64. Halves are rounded up, or with `to_nearest` away from zero.
PrimRef MultiplyFixed(ScalarMath& m, PrimRef x, const FixedPoint& by, bool to_nearest = false);

// Scales are constants: one, or one per element of an axis. Zero points may be known at run time.
struct QuantizedAs {
  std::vector<double> scale;
  Operand zero;
};
// Returns arguments `scale` and `zero` of a call. `channels` is the size of their axis. Reports an
// error for scales that are not positive constants and for arguments that RequireScales or
// RequireZeros rejects.
absl::StatusOr<QuantizedAs> QuantizedArgs(OpCall& c, int scale, int zero, PrimRef channels);

struct RequantizeOptions {
  int axis = 0;
  DType out_dtype = DType::Int(32);
  std::string rounding = "UPWARD", compute_dtype = "int64";
};
// Converts between two scales, of which the second is single.
Operand Requantized(OpCall& c, const Operand& q, const QuantizedAs& from, const QuantizedAs& to,
                    const RequantizeOptions& options);

// Returns true if scales and zero points are known and equal.
bool SameQuantization(OpCall& c, const QuantizedAs& a, const QuantizedAs& b);

// Clips integers to the range of a dtype and converts them to it.
Operand Saturated(OpCall& c, const Operand& x, DType dtype);
PrimRef SaturatedTo(ScalarMath& m, PrimRef x, DType dtype);

// Returns the number in a constant of one element.
std::optional<double> KnownNumber(OpCall& c, const Operand& x);
// Returns the integer in `zero` if it is a constant of one element.
std::optional<int64_t> KnownZero(OpCall& c, const Operand& zero);

// Checks that argument `i` holds zero points (int32) or scales (float32): one, or one per channel.
absl::Status RequireZeros(OpCall& c, int i, PrimRef channels);
absl::Status RequireScales(OpCall& c, int i, PrimRef channels);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_REQUANTIZE_H_
