// The float formats that C has no type for: float16, bfloat16, and those of 8, 6 and 4 bits.
//
// One description covers them all; Decode is exact, Encode rounds to nearest, ties to even, once.
#ifndef LATHE_INTERP_DATA_FLOAT_FORMAT_H_
#define LATHE_INTERP_DATA_FLOAT_FORMAT_H_

#include <cstdint>

#include "generator/ir/dtype.h"

namespace lathe::interp {

// What the codes at the edge mean.
enum class Specials : uint8_t {
  kIeee,    // the top exponent holds infinity and NaNs; too large becomes infinity
  kFn,      // no infinity; NaN is all ones; too large becomes NaN
  kFnuz,    // no infinity, no negative zero: its code is the NaN; too large becomes NaN
  kFinite,  // only numbers: too large becomes the largest, NaN becomes negative zero
  kScale,   // e8m0: powers of two without sign; 0xff is NaN, and so are zero and below
};

struct FloatFormat {
  uint8_t exponent_bits;
  uint8_t mantissa_bits;
  uint8_t bias;
  Specials specials;
};

// Null for float32 and float64, which C has, and for what is no float.
const FloatFormat* FindFloatFormat(ir::DType dtype);

// The number that the low bits of `code` stand for.
double Decode(const FloatFormat& format, uint32_t code);

// The code nearest to `value`.
uint32_t Encode(const FloatFormat& format, double value);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_FLOAT_FORMAT_H_
