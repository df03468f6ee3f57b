// Declares functions of strings.cc that other importers use.
#ifndef LATHE_READER_ONNX_STRING_OPS_H_
#define LATHE_READER_ONNX_STRING_OPS_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Dtypes of the bytes of strings and of the numbers in them.
inline constexpr ir::DType kByte = ir::DType::UInt(8);
inline constexpr ir::DType kWhole = ir::DType::Int(64);
inline constexpr ir::DType kReal = ir::DType::Float(64);

absl::StatusOr<Results> EqualStrings(NodeCall& n);

// Returns the index of each string of input 0 in `keys`, or -1.
absl::StatusOr<Operand> FindStrings(NodeCall& n, const std::vector<std::string>& keys);

// Returns the index of each string of the list `wanted` in the list `keys`, or -1. Both are rows of
// bytes; `wanted` may have more dimensions.
Operand FindStringRows(NodeCall& n, const Operand& wanted, const Operand& keys);

// Returns constant strings as rows of bytes, zero-padded to the longest one.
Operand StringTable(NodeCall& n, const std::vector<std::string>& strings,
                    std::vector<int64_t> shape);
// Returns rows of bytes as a term of strings.
Term AsStrings(Operand x);

// Returns input `i`, a tensor of strings, as rows of bytes.
absl::StatusOr<Operand> StringsIn(NodeCall& n, int i);

// Reads byte `i` of the string at `row` of `x`. It is 0 after the end of the string.
PrimRef StringByte(Te& te, ir::BufferRef x, const Indices& row, PrimRef i);

// Parses the strings in the rows of `x` as numbers, exact for integers and within two units in the
// last place for floats. Other strings end the run.
Operand StringsToNumbers(NodeCall& n, const Operand& x, DType dtype);
// Formats each number of `x` as the shortest decimal text that reads back as the same number.
absl::StatusOr<Operand> NumbersToStrings(NodeCall& n, const Operand& x);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_STRING_OPS_H_
