#include "generator/reader/onnx/rotate_heads.h"

#include "generator/reader/onnx/run_time_values.h"
#include "generator/support/status.h"

namespace lathe::onnx {

absl::StatusOr<Operand> RotateHeads(NodeCall& n, const Operand& heads, Operands more,
                                    const Operand& cosines, const Operand& sines, bool interleaved,
                                    const AnglesOf& place) {
  const Dims d = n.DimsOf(heads);
  LATHE_RETURN_IF_ERROR(n.NeedRank(cosines, 2));
  const auto half = NodeCall::IntOf(n.DimsOf(cosines)[1]);
  const auto size = NodeCall::IntOf(d[3]);
  if (!half || !size) return n.Unsupported() << "a head size that is not constant is not supported";
  if (*half < 1 || 2 * *half > *size) {
    return n.Error() << "the tables have " << *half << " angles, but the head size is " << *size;
  }
  LATHE_RETURN_IF_ERROR(n.NeedRank(sines, 2));
  Operands args = {heads, cosines, sines};
  args.insert(args.end(), more.begin(), more.end());
  return n.Kernel("rotary_embedding", args, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSameDims(n, te, te.Input(2)->shape, te.Input(1)->shape, "the sines");
    te.Need(m.Le(m.Int(1), te.Input(1)->shape[0]), "a rotary embedding needs a table of angles");
    return te.Compute("out", d, n.TypeOf(heads), [&](const Indices& at) {
      const PrimRef middle = m.Int(*half), i = at[3];
      const PrimRef second =
          interleaved ? m.Eq(m.FloorMod(i, m.Int(2)), m.Int(1)) : m.Le(middle, i);
      const PrimRef pair = interleaved ? m.FloorDiv(i, m.Int(2)) : m.FloorMod(i, middle);
      const PrimRef step = interleaved ? m.Int(1) : middle;
      Indices other = at;
      other[3] = m.Select(second, m.Sub(i, step), m.Add(i, step));
      const PrimRef last = m.Sub(te.Input(1)->shape[0], m.Int(1));
      const PrimRef row = m.Max(m.Int(0), m.Min(place(te, at), last));
      const auto turned = [&] {
        const PrimRef across = m.Mul(te.At(te.Input(0), other), te.At(te.Input(2), {row, pair}));
        const PrimRef mine = m.Mul(te.At(te.Input(0), at), te.At(te.Input(1), {row, pair}));
        return m.Select(second, m.Add(mine, across), m.Sub(mine, across));
      };
      return 2 * *half == *size
                 ? turned()
                 : m.IfThenElse(m.Lt(i, m.Int(2 * *half)), turned(), te.At(te.Input(0), at));
    });
  });
}

}  // namespace lathe::onnx
