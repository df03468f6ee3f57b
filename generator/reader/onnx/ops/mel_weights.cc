// Imports MelWeightMatrix.
#include <optional>

#include "generator/reader/onnx/format/tensor_data.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_values.h"

namespace lathe::onnx {

absl::StatusOr<Results> ImportMelWeights(NodeCall& n) {
  const auto mels = n.ConstantInts(0), length = n.ConstantInts(1);
  std::optional<Dims> dims;
  const bool known = mels && length && mels->size() == 1 && length->size() == 1;
  if (known) {
    if ((*length)[0] < 0 || (*mels)[0] < 0)
      return n.Error() << "the number of bins must not be negative";
    dims = n.DimsFrom({(*length)[0] / 2 + 1, (*mels)[0]});
  } else {
    dims = n.DeclaredDims(0);
  }
  if (!dims || dims->size() != 2)
    return n.Unsupported() << "a dynamic result size without a declared shape is not supported";
  const DType dtype =
      DTypeOf(static_cast<int32_t>(n.Int("output_datatype", 1))).value_or(DType::Float(32));
  return n.Kernel("mel_weights", {n.In(1), n.In(2), n.In(3), n.In(4), n.In(0)}, [&](Te& te) {
    ScalarMath& m = te.math();
    if (!known) {
      const PrimRef spectrum = m.Add(m.FloorDiv(OnlyEntry(te, 0), m.Int(2)), m.Int(1));
      NeedSame(n, te, spectrum, (*dims)[0], "the number of bins of the spectrum");
      NeedSame(n, te, OnlyEntry(te, 4), (*dims)[1], "the number of mel bins");
    }
    const DType real = DType::Float(64), whole = DType::Int(64);
    const auto c = [&](double v) { return m.Const(v, real); };
    const auto in = [&](int i) {
      return m.Cast(te.At(te.Input(i), Indices(te.Input(i)->shape.size(), m.Int(0))), real);
    };
    const auto mel = [&](PrimRef hertz) {
      return m.Mul(c(2595), m.Call("log10", {m.Add(c(1), m.Div(hertz, c(700)))}));
    };
    const auto edge = [&](PrimRef i) {
      const PrimRef low = mel(in(2)), high = mel(in(3));
      const PrimRef step = m.Div(m.Sub(high, low), m.Add(m.Cast((*dims)[1], real), c(2)));
      const PrimRef at = m.Add(m.Mul(m.Cast(i, real), step), low);
      const PrimRef power = m.Call("pow", {c(10), m.Div(at, c(2595))});
      const PrimRef hertz = m.Mul(c(700), m.Sub(power, c(1)));
      const PrimRef bin = m.Div(m.Mul(m.Add(in(0), c(1)), hertz), in(1));
      return m.Cast(m.Call("floor", {bin}), whole);
    };
    return te.Compute("out", *dims, dtype, [&](const Indices& at) {
      const PrimRef j = at[0], low = edge(at[1]), middle = edge(m.Add(at[1], m.Int(1))),
                    high = edge(m.Add(at[1], m.Int(2)));
      const auto share = [&](PrimRef part, PrimRef all) {
        return m.Div(m.Cast(part, real), m.Cast(m.Max(all, m.Int(1)), real));
      };
      const PrimRef rise = m.Sub(middle, low), fall = m.Sub(high, middle);
      PrimRef value =
          m.Select(m.And(m.Le(low, j), m.Le(j, middle)), share(m.Sub(j, low), rise), c(0));
      value = m.Select(m.And(m.Eq(rise, m.Int(0)), m.Eq(j, middle)), c(1), value);
      const PrimRef falls = m.And(m.Lt(m.Int(0), fall), m.And(m.Le(middle, j), m.Lt(j, high)));
      return m.Cast(m.Select(falls, share(m.Sub(high, j), fall), value), dtype);
    });
  });
}

}  // namespace lathe::onnx
