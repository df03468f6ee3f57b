// Imports BitCast, which reinterprets the bits of elements.
#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/small_formats.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

// Reinterprets the lowest `bits` of each byte, in which the formats of fewer than 8 bits are
// stored: integers by their value, floats by their bits.
Operand RecastSmall(NodeCall& n, const Operand& x, int bits, DType stored) {
  return n.Elementwise(
      "bit_cast", {x},
      [&](ScalarMath& m, const Scalars& v) {
        const DType whole = DType::Int(32);
        const PrimRef size = m.Const(1 << bits, whole), half = m.Const(1 << (bits - 1), whole);
        const PrimRef code = m.FloorMod(m.Cast(v[0], whole), size);
        const PrimRef value =
            stored.is_int() ? m.Select(m.Lt(code, half), code, m.Sub(code, size)) : code;
        return m.Cast(value, stored);
      },
      stored);
}

}  // namespace

absl::StatusOr<Results> ImportBitCast(NodeCall& n) {
  const auto to = static_cast<int32_t>(n.Int("to", 0));
  const auto stored = DTypeOf(to);
  if (!stored) {
    return n.Unsupported() << "a bit cast to " << ElementTypeName(to)
                           << " is not supported; supported: bools, integers and floats";
  }
  const Operand x = n.In(0);
  const DType from = n.TypeOf(x);
  const int32_t format = n.term(0).format;
  const auto width = [](int bits, DType dtype) {
    return bits > 0 ? bits : dtype.is_bool() ? 8 : static_cast<int>(dtype.bits);
  };
  const int bits = width(SmallFormatBits(format), from);
  if (const int wanted = width(SmallFormatBits(to), *stored); bits != wanted) {
    return n.Error() << "a bit cast keeps the width of elements, but the input has " << bits
                     << " bits and " << ElementTypeName(to) << " has " << wanted;
  }
  Operand y = x;
  if (bits < 8) {
    y = RecastSmall(n, x, bits, *stored);
  } else if (from.is_bool() || stored->is_bool()) {
    y = n.Cast(x, *stored);
  } else if (from != *stored) {
    y = n.Op("relax.memory.view",
             {x, NodeCall::Shape(n.DimsOf(x)), {ir::DTypeImm{*stored}}, n.builder().Number(0)});
  }
  Term result(std::move(y));
  if (IsSmallFormat(to)) result.format = to;
  return result;
}

}  // namespace lathe::onnx
