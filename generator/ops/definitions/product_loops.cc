#include "generator/ops/definitions/product_loops.h"

#include <utility>

#include "generator/ops/te/fixed_point_math.h"

namespace lathe::ops {

using ir::DType;
using ir::PrimRef;

PrimRef ScaledByFactor(OperationArguments& a, PrimRef sum, PrimRef factor) {
  ScalarMath& m = a.math();
  const DType wide = DType::Int(64);
  const auto shifted = [&](PrimRef value, int64_t by) {
    return m.Binary(ir::BinaryOp::kShr, value, m.ir().Int(by, wide));
  };
  const PrimRef high = shifted(m.Mul(m.Cast(sum, wide), m.Cast(factor, wide)), 32);
  const PrimRef moved = m.Add(high, m.ir().Int(a.Number(a.start()), wide));
  return Widened(m, shifted(moved, a.Number(a.shift())));
}

ir::StmtRef RowProducts(OperationArguments& a, const RowLayout& layout) {
  ScalarMath& m = a.math();
  Statements s(m.ir());
  ir::Buffer sums;
  sums.name = "sum";
  sums.dtype = ir::DType::Int(32);
  sums.shape = {m.Int(1)};
  sums.data = m.ir().NewPointer(sums.name, sums.dtype, sums.scope);
  const ir::BufferRef sum = m.ir().NewBuffer(std::move(sums));
  const PrimRef value = m.ir().MakeLoad(sum, {m.Int(0)});
  const size_t x = a.first(), out = x + 5, range = a.range();
  s.For("row", a.At(0), [&](PrimRef row) {
    s.For("column", m.Int(a.Number(5)), [&](PrimRef c) {
      s.Store(sum, {m.Int(0)}, layout.start(c));
      s.For("piece", m.Int(a.Number(2)), [&](PrimRef piece) {
        s.For("k", m.Int(a.Number(4)), [&](PrimRef k) {
          const PrimRef at = m.Add(m.Add(m.Mul(row, a.At(1)), m.Mul(piece, a.At(3))), k);
          const PrimRef product = m.Mul(Widened(m, a.Load(x, at)), layout.weight(c, piece, k));
          s.Store(sum, {m.Int(0)}, m.Add(value, product));
        });
      });
      const PrimRef scaled = s.Let("scaled", layout.scaled(value, c));
      a.Store(s, out, m.Add(m.Mul(row, m.Int(a.Number(5))), c),
              ClippedTo(m, scaled, a.Number(range), a.Number(range + 1), DType::Int(8)));
    });
  });
  ir::AllocStmt alloc;
  alloc.buffer = sum;
  alloc.body = s.Finish();
  return m.ir().Make(ir::Stmt::Node(std::move(alloc)), {});
}

ir::StmtRef ChannelProducts(OperationArguments& a, const std::function<PrimRef(PrimRef c)>& start,
                            const std::function<PrimRef(PrimRef c, int64_t tap)>& weight,
                            const std::function<PrimRef(PrimRef sum, PrimRef c)>& scaled) {
  ScalarMath& m = a.math();
  Statements s(m.ir());
  const size_t x = a.first(), out = a.count() - 1, range = a.range();
  s.For("column", a.At(0), [&](PrimRef column) {
    s.For("c", a.At(1), [&](PrimRef c) {
      PrimRef sum = start(c);
      for (int64_t y = 0; y < a.Number(3); ++y) {
        for (int64_t k = 0; k < a.Number(5); ++k) {
          const PrimRef place = m.Add(m.Mul(m.Int(y), a.At(4)), m.Mul(m.Int(k), a.At(6)));
          const PrimRef at = m.Add(m.Add(m.Mul(column, a.At(2)), place), c);
          sum = m.Add(sum, m.Mul(Widened(m, a.Load(x, at)), weight(c, y * a.Number(5) + k)));
        }
      }
      const PrimRef value = s.Let("scaled", scaled(s.Let("sum", sum), c));
      a.Store(s, out, m.Add(m.Mul(column, a.At(1)), c),
              ClippedTo(m, value, a.Number(range), a.Number(range + 1), DType::Int(8)));
    });
  });
  return s.Finish();
}

}  // namespace lathe::ops
