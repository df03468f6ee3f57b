// Element types of 8 bits and fewer that C has no type for. Their elements travel as bytes: floats
// as their bits, integers under a byte as the integer, one element a byte.
#ifndef LATHE_READER_ONNX_SMALL_FORMATS_H_
#define LATHE_READER_ONNX_SMALL_FORMATS_H_

#include <cstdint>
#include <string>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// True for the published numbers of such types.
bool IsSmallFormat(int32_t type);

// What the elements mean, as float32: `x` has the bytes of type `from`.
Operand DecodeSmall(NodeCall& n, const Operand& x, int32_t from);

struct Rounding {
  bool saturate = true;     // what is too large becomes the largest, not NaN or infinity
  bool wrap = false;        // integers: the lowest bits are kept, as of a cast
  std::string mode = "up";  // of float8e8m0: up, down, nearest
};
// The bytes of type `to` nearest to the floats of `x`.
Operand EncodeSmall(NodeCall& n, const Operand& x, int32_t to, const Rounding& rounding);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_SMALL_FORMATS_H_
