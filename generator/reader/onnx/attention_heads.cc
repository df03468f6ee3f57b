#include "generator/reader/onnx/attention_heads.h"

#include <cmath>

#include "generator/reader/onnx/run_time_values.h"

namespace lathe::onnx {
namespace {

Operand Scaled(NodeCall& n, const Operand& x, double by) {
  return n.Op("relax.multiply", {x, n.Number(by, n.TypeOf(x))});
}

// The largest score of each row.
ir::BufferRef RowMaxima(Te& te, ir::BufferRef scores) {
  const Dims rows(scores->shape.begin(), scores->shape.end() - 1);
  return te.Reduce("most", rows, {scores->shape.back()}, te.Max(scores->dtype),
                   [&](Indices at, const Indices& r) {
                     at.push_back(r[0]);
                     return te.At(scores, at);
                   });
}

// 1 for each row with a score that is not minus infinity, which may be NaN.
ir::BufferRef OpenRows(Te& te, ir::BufferRef scores) {
  ScalarMath& m = te.math();
  const DType dtype = scores->dtype;
  const Dims rows(scores->shape.begin(), scores->shape.end() - 1);
  return te.Reduce("open", rows, {scores->shape.back()}, te.Max(dtype),
                   [&](Indices at, const Indices& r) {
                     at.push_back(r[0]);
                     const PrimRef masked = m.Eq(te.At(scores, at), m.Lowest(dtype));
                     return m.Select(masked, m.Const(0, dtype), m.Const(1, dtype));
                   });
}

// Computes the softmax in steps that are each rounded to the dtype of the scores, as ONNX defines
// it for floats of 16 bits.
Operand RoundedSoftmax(NodeCall& n, const Operand& scores) {
  const Dims dims = n.DimsOf(scores);
  const DType dtype = n.TypeOf(scores);
  return n.Kernel("rounded_softmax", {scores}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto row = [](const Indices& at) { return Indices(at.begin(), at.end() - 1); };
    ir::BufferRef most = RowMaxima(te, te.Input(0));
    ir::BufferRef less = te.Compute("less", dims, dtype, [&](const Indices& at) {
      const PrimRef top = te.At(most, row(at));
      const PrimRef none = m.Eq(top, m.Lowest(dtype));
      return m.Sub(te.At(te.Input(0), at), m.Select(none, m.Const(0, dtype), top));
    });
    ir::BufferRef grown = te.Compute(
        "grown", dims, dtype, [&](const Indices& at) { return m.Call("exp", {te.At(less, at)}); });
    const Dims rows(dims.begin(), dims.end() - 1);
    ir::BufferRef sum =
        te.SumUp("sum", rows, {dims.back()}, dtype, [&](DType wide, Indices at, const Indices& r) {
          at.push_back(r[0]);
          return m.Cast(te.At(grown, at), wide);
        });
    return te.Compute("out", dims, dtype, [&](const Indices& at) {
      const PrimRef all = te.At(sum, row(at)), zero = m.Const(0, dtype);
      const PrimRef none = m.Eq(all, zero);
      const PrimRef share = m.Div(te.At(grown, at), m.Select(none, m.Const(1, dtype), all));
      return m.Select(none, zero, share);
    });
  });
}

}  // namespace

absl::StatusOr<Operand> WithHeads(NodeCall& n, const Operand& x, const char* heads) {
  const Dims d = n.DimsOf(x);
  if (d.size() == 4) return x;
  const int64_t count = n.Int(heads, 0);
  if (d.size() != 3 || count < 1) {
    return n.Error() << "queries, keys and values must have rank 4, or rank 3 and the attribute "
                     << heads;
  }
  const PrimRef h = n.ir().Int(count);
  const PrimRef size = n.Simplify(n.math().FloorDiv(d[2], h));
  return n.Transposed(n.Reshape(x, {d[0], d[1], h, size}), {0, 2, 1, 3});
}

Operand ForGroups(NodeCall& n, const Operand& x, PrimRef heads) {
  Dims d = n.DimsOf(x);
  if (d[1] == heads) return x;
  const PrimRef share = n.Simplify(n.math().FloorDiv(heads, d[1]));
  d[1] = heads;
  return n.Kernel("shared_heads", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    NeedSame(n, te, m.Mul(n.DimsOf(x)[1], share), heads, "heads that share keys and values");
    return te.Compute("out", d, n.TypeOf(x), [&](Indices at) {
      at[1] = te.math().FloorDiv(at[1], share);
      return te.At(te.Input(0), at);
    });
  });
}

Operand ScaledScores(NodeCall& n, const Operand& q, const Operand& keys, double scale) {
  const double root = std::sqrt(std::fabs(scale));
  const DType dtype = n.TypeOf(q), wide = dtype.bits < 32 ? DType::Float(32) : dtype;
  return n.Op("relax.matmul", {Scaled(n, q, scale < 0 ? -root : root), Scaled(n, keys, root)},
              {{"out_dtype", wide}});
}

absl::StatusOr<double> AttentionScale(NodeCall& n, const Operand& q) {
  if (n.HasAttribute("scale")) return n.Float("scale", 0);
  const auto size = NodeCall::IntOf(n.DimsOf(q).back());
  if (!size) return n.Unsupported() << "a head size that is not constant is not supported";
  return 1 / std::sqrt(static_cast<double>(*size));
}

Operand MaskedSoftmax(NodeCall& n, const Operand& scores) {
  const DType dtype = n.TypeOf(scores);
  if (dtype.bits < 32) return RoundedSoftmax(n, scores);
  const Operand shares = n.Op("relax.nn.softmax", {scores}, {{"axis", -1}});
  return n.Kernel("open_rows", {scores, shares}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef open = OpenRows(te, te.Input(0));
    return te.Compute("out", n.DimsOf(scores), dtype, [&](const Indices& at) {
      const PrimRef some = te.At(open, Indices(at.begin(), at.end() - 1));
      const PrimRef zero = m.Const(0, dtype);
      return m.Select(m.Lt(zero, some), te.At(te.Input(1), at), zero);
    });
  });
}

}  // namespace lathe::onnx
