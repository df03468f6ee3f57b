// Imports products of matrices.
#include "generator/reader/onnx/node_call.h"
#include "generator/support/status.h"

namespace lathe::onnx {

absl::StatusOr<Results> ImportMatMul(NodeCall& n) {
  const Operand a = n.In(0), b = n.In(1);
  const DType dtype = n.TypeOf(a);
  if (!dtype.is_floating() || dtype.bits >= 32) return n.Op("relax.matmul", {a, b});
  // Accumulates small floats in float32.
  return n.Cast(n.Op("relax.matmul", {a, b}, {{"out_dtype", DType::Float(32)}}), dtype);
}

absl::StatusOr<Results> ImportGemm(NodeCall& n) {
  Operand a = n.In(0), b = n.In(1);
  if (n.Rank(a) != 2 || n.Rank(b) != 2) return n.Error() << "both factors must have rank 2";
  if (n.Int("transA", 0) != 0) a = n.Transposed(a, {1, 0});
  if (n.Int("transB", 0) != 0) b = n.Transposed(b, {1, 0});
  const DType dtype = n.TypeOf(a);
  const double alpha = n.Float("alpha", 1.0), beta = n.Has(2) ? n.Float("beta", 1.0) : 1.0;
  // Factors of integers are reals; the sum is truncated.
  const bool in_reals = dtype.is_integer() && (alpha != 1.0 || beta != 1.0);
  const DType work = in_reals ? DType::Float(64) : dtype;
  const auto scaled = [&](const Operand& x, double by) {
    const Operand wide = n.Cast(x, work);
    return by == 1.0 ? wide : n.Op("relax.multiply", {wide, n.Number(by, work)});
  };
  const Operand product = scaled(n.Op("relax.matmul", {a, b}), alpha);
  if (!n.Has(2)) return n.Cast(product, dtype);
  return n.Cast(n.Op("relax.add", {product, scaled(n.In(2), beta)}), dtype);
}

absl::StatusOr<Results> ImportEinsum(NodeCall& n) {
  const std::string equation = n.String("equation", "");
  constexpr size_t kMaxLetters = 500;
  if (equation.size() > kMaxLetters) {
    return n.Error() << "the equation has " << equation.size() << " characters; the maximum is "
                     << kMaxLetters;
  }
  return n.Op("relax.einsum", {transform::BlockBuilder::Tuple(n.AllIn())},
              {{"subscripts", equation}});
}

// Subtracts the zero points and multiplies in int32.
absl::StatusOr<Results> ImportMatMulInteger(NodeCall& n) {
  const DType wide = DType::Int(32);
  Operand a = n.Cast(n.In(0), wide), b = n.Cast(n.In(1), wide);
  if (n.Has(2)) {
    Operand zero = n.Cast(n.In(2), wide);
    // One zero point per row.
    if (n.Rank(zero) == 1 && NodeCall::IntOf(n.DimsOf(zero)[0]) != 1) {
      zero = n.Reshape(zero, {n.DimsOf(zero)[0], n.ir().Int(1)});
    }
    a = n.Op("relax.subtract", {a, zero});
  }
  if (n.Has(3)) b = n.Op("relax.subtract", {b, n.Cast(n.In(3), wide)});
  return n.Op("relax.matmul", {a, b});
}

// Gaussian elimination with partial pivoting, in place.
absl::StatusOr<Results> ImportDet(NodeCall& n) {
  const Operand x = n.In(0);
  const int rank = n.Rank(x);
  LATHE_RETURN_IF_ERROR(n.NeedRank(x, 2));
  const Dims dims = n.DimsOf(x), batch(dims.begin(), dims.end() - 2);
  const PrimRef size = dims.back();
  const PrimRef rows = dims[static_cast<size_t>(rank) - 2];
  const auto apart = NodeCall::IntOf(n.Simplify(n.math().Sub(rows, size)));
  if (!apart) return n.Unsupported() << "a matrix that is not known to be square is not supported";
  if (*apart != 0) return n.Error() << "the matrix must be square";
  const DType dtype = n.TypeOf(x);
  return n.Kernel("det", {x}, [&](Te& te) {
    ScalarMath& m = te.math();
    ir::BufferRef work =
        te.Compute("work", dims, dtype, [&](const Indices& at) { return te.At(te.Input(0), at); });
    ir::BufferRef pivot = te.Allocate("pivot", batch, DType::Int(64));
    ir::BufferRef out = te.Allocate("out", batch, dtype);
    te.Run("eliminate", batch, [&](ops::Statements& s, const Indices& at) {
      const auto element = [&](PrimRef i, PrimRef j) {
        Indices place = at;
        place.push_back(i);
        place.push_back(j);
        return place;
      };
      const auto magnitude = [&](PrimRef v) { return m.Call("abs", {v}); };
      s.Store(out, at, m.Const(1, dtype));
      s.For("k", size, [&](PrimRef k) {
        s.Store(pivot, at, k);
        s.For("i", size, [&](PrimRef i) {
          const PrimRef better = m.Lt(magnitude(te.At(work, element(te.At(pivot, at), k))),
                                      magnitude(te.At(work, element(i, k))));
          s.If(m.And(m.Lt(k, i), better), [&] { s.Store(pivot, at, i); });
        });
        s.If(m.Ne(te.At(pivot, at), k), [&] {
          s.Store(out, at, m.Neg(te.At(out, at)));
          s.For("j", size, [&](PrimRef j) {
            const PrimRef p = s.Let("p", te.At(pivot, at));
            const PrimRef above = s.Let("above", te.At(work, element(k, j)));
            s.Store(work, element(k, j), te.At(work, element(p, j)));
            s.Store(work, element(p, j), above);
          });
        });
        const PrimRef top = s.Let("top", te.At(work, element(k, k)));
        s.Store(out, at, m.Mul(te.At(out, at), top));
        s.For("i", size, [&](PrimRef i) {
          s.If(m.And(m.Lt(k, i), m.Ne(top, m.Const(0, dtype))), [&] {
            const PrimRef factor = s.Let("factor", m.Div(te.At(work, element(i, k)), top));
            s.For("j", size, [&](PrimRef j) {
              const PrimRef less = m.Mul(factor, te.At(work, element(k, j)));
              s.Store(work, element(i, j), m.Sub(te.At(work, element(i, j)), less));
            });
          });
        });
      });
    });
    return out;
  });
}

}  // namespace lathe::onnx
