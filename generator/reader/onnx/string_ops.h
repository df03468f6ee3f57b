// What operators that take strings among other things have of strings.cc.
#ifndef LATHE_READER_ONNX_STRING_OPS_H_
#define LATHE_READER_ONNX_STRING_OPS_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// What strings are made of, and the numbers in them.
inline constexpr ir::DType kByte = ir::DType::UInt(8);
inline constexpr ir::DType kWhole = ir::DType::Int(64);
inline constexpr ir::DType kReal = ir::DType::Float(64);

absl::StatusOr<Results> EqualStrings(NodeCall& n);

// Where each string of the first input stands among `keys`, and -1.
absl::StatusOr<Operand> FindStrings(NodeCall& n, const std::vector<std::string>& keys);

// A tensor of strings, as rows of bytes.
absl::StatusOr<Operand> StringsIn(NodeCall& n, int i);

// Byte `i` of the string at `row` of `x`, broadcast to rows of `rank` indices; 0 behind its end.
PrimRef StringByte(Te& te, ir::BufferRef x, const Indices& row, PrimRef i);

// The numbers that the strings in the rows of `x` are: within two units of the last place, and
// integers exactly. Other strings end the run.
Operand StringsToNumbers(NodeCall& n, const Operand& x, DType dtype);
// The shortest decimal numbers that read back as those of `x`.
absl::StatusOr<Operand> NumbersToStrings(NodeCall& n, const Operand& x);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_STRING_OPS_H_
