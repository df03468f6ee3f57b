// Imports nn.bitpack.
#include "generator/reader/relay_text/ops/call_parts.h"
#include "generator/support/status.h"

namespace lathe::relay {

// Bit b of the elements along the pack axis becomes one word at place b of a new axis, the first
// element in the highest bit.
absl::StatusOr<Operand> ImportBitpack(OpCall& c) {
  const Operand x = c.Arg(0);
  const auto dtype = c.DTypeAttr("pack_type");
  if (!dtype || !dtype->is_uint()) {
    return c.Error() << "pack_type is '" << c.Str("pack_type") << "'; supported: uint8 to uint64";
  }
  if (!c.TypeOf(x).is_integer()) return c.Error() << "the data has to be of an integer dtype";
  const int64_t bits = c.Int("bits"), bit_axis = c.Int("bit_axis"), width = dtype->bits;
  LATHE_ASSIGN_OR_RETURN(const int pack, c.Axis(c.Int("pack_axis"), c.Rank(x)));
  if (bits < 1 || bits > c.TypeOf(x).bits || bit_axis < 0 || bit_axis > c.Rank(x)) {
    return c.Error() << bits << " bits at axis " << bit_axis;
  }
  const auto axis = static_cast<size_t>(pack);
  Dims dims = c.DimsOf(x);
  if (const auto size = OpCall::IntOf(dims[axis]); size && *size % width != 0) {
    return c.Error() << "words of " << width << " bits do not divide " << *size << " elements";
  }
  dims[axis] = c.Simplify(c.math().FloorDiv(dims[axis], c.ir().Int(width)));
  dims.insert(dims.begin() + bit_axis, c.ir().Int(bits));
  return c.Kernel("bitpack", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    return te.Reduce(
        "out", dims, {m.Int(width)}, te.Sum(*dtype), [&](const Indices& at, const Indices& r) {
          Indices source = at;
          source.erase(source.begin() + bit_axis);
          source[axis] = m.Add(m.Mul(source[axis], m.Int(width)), r[0]);
          const PrimRef element = m.Cast(te.At(te.Input(0), source), *dtype);
          const PrimRef which = m.Cast(at[static_cast<size_t>(bit_axis)], *dtype);
          const PrimRef bit =
              m.Binary(ir::BinaryOp::kBitAnd, m.Binary(ir::BinaryOp::kShr, element, which),
                       m.ir().Int(1, *dtype));
          const PrimRef place = m.Cast(m.Sub(m.Int(width - 1), r[0]), *dtype);
          return m.Binary(ir::BinaryOp::kShl, bit, place);
        });
  });
}

}  // namespace lathe::relay
