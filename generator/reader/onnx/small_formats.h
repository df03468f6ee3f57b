// Converts element types of at most 8 bits without a C type. Each element is stored in one byte:
// floats as their bit pattern, integers of fewer than 8 bits as their value.
#ifndef LATHE_READER_ONNX_SMALL_FORMATS_H_
#define LATHE_READER_ONNX_SMALL_FORMATS_H_

#include <cstdint>
#include <string>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Returns true for the ONNX type numbers of such types.
bool IsSmallFormat(int32_t type);
// Returns true for those of floats.
bool HasFloats(int32_t type);
// Returns true for those of integers.
bool HasIntegers(int32_t type);
// Returns the bits of an element of such a type, 0 for other types.
int SmallFormatBits(int32_t type);

// Decodes the bytes `x` of ONNX type `from` to float32.
Operand DecodeSmall(NodeCall& n, const Operand& x, int32_t from);

struct Rounding {
  bool saturate = true;     // 8-bit floats: overflow becomes the largest value, not NaN or infinity
  bool wrap = false;        // integers keep the lowest bits, as in a cast
  std::string mode = "up";  // rounding of float8e8m0: up, down, nearest
};
// Encodes the numbers of `x` as bytes of ONNX type `to`. Floats are rounded to nearest, float8e8m0
// as `rounding` says, integers toward zero.
Operand EncodeSmall(NodeCall& n, const Operand& x, int32_t to, const Rounding& rounding);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_SMALL_FORMATS_H_
