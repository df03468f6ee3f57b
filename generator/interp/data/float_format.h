// Encodes and decodes the float formats that C lacks: float16, bfloat16, and formats of 8, 6 and 4
// bits.
//
// All share one description. Decode is exact. Encode rounds once, to nearest, ties to even.
#ifndef LATHE_INTERP_DATA_FLOAT_FORMAT_H_
#define LATHE_INTERP_DATA_FLOAT_FORMAT_H_

#include <cstdint>

#include "generator/ir/dtype.h"

namespace lathe::interp {

// The meaning of the codes at the ends of the range, and the result of overflow.
enum class Specials : uint8_t {
  kIeee,    // the top exponent holds infinity and NaNs; overflow gives infinity
  kFn,      // no infinity; NaN is all ones; overflow gives NaN
  kFnuz,    // no infinity, no negative zero: its code is NaN; overflow gives NaN
  kFinite,  // only numbers: overflow gives the largest, NaN gives negative zero
  kScale,   // e8m0: powers of two without sign; 0xff is NaN, and so are zero and below
};

struct FloatFormat {
  uint8_t exponent_bits;
  uint8_t mantissa_bits;
  uint8_t bias;
  Specials specials;
};

// Returns null for float32 and float64, which C has, and for dtypes that are not floats.
const FloatFormat* FindFloatFormat(ir::DType dtype);

// Returns the value of the low bits of `code`.
double Decode(const FloatFormat& format, uint32_t code);

// Returns the code nearest to `value`.
uint32_t Encode(const FloatFormat& format, double value);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_FLOAT_FORMAT_H_
