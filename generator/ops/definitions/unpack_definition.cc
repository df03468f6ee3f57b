#include "generator/ops/definitions/unpack_definition.h"

#include "generator/ir/quad_products.h"
#include "generator/ir/unpack_weights.h"

namespace lathe::ops {

using ir::DType;
using ir::PrimRef;

ir::StmtRef UnpackWeights(OperationArguments& a) {
  ScalarMath& m = a.math();
  Statements s(m.ir());
  constexpr size_t kPacked = 2, kOut = 3;
  const int64_t kind = a.Number(1);
  s.For("word", a.At(0), [&](PrimRef at) {
    const PrimRef word = s.Let("packed_word", a.Load(kPacked, at));
    const auto weight = [&](int64_t j) {
      const PrimRef shifted = m.Binary(ir::BinaryOp::kShr, word, WholeOf(m, ir::UnpackShift(j)));
      return m.Sub(m.Binary(ir::BinaryOp::kBitAnd, shifted, WholeOf(m, 15)),
                   WholeOf(m, ir::kUnpackExcess));
    };
    for (int64_t j = 0; j < ir::kUnpackElements; ++j) {
      PrimRef value = weight(j);
      if (kind == ir::kUnpackPairs && j % 2 == 1) {
        const PrimRef less = m.Lt(weight(j - 1), WholeOf(m, 0));
        value = m.Sub(value, m.Select(less, WholeOf(m, 1), WholeOf(m, 0)));
      }
      const bool is_unsigned = kind == ir::kUnpackUnsigned;
      if (is_unsigned) value = m.Add(value, WholeOf(m, ir::kQuadOffset));
      const PrimRef place = m.Add(m.Mul(at, m.Int(ir::kUnpackElements)), m.Int(j));
      a.Store(s, kOut, place, m.Cast(value, is_unsigned ? DType::UInt(8) : DType::Int(8)));
    }
  });
  return s.Finish();
}

ir::StmtRef JoinColumns(OperationArguments& a) {
  ScalarMath& m = a.math();
  Statements s(m.ir());
  constexpr size_t kResults = 3, kOut = 4;
  const PrimRef block = m.Int(a.Number(2)), columns = m.Int(a.Number(1)), rows = m.Int(a.Number(0));
  s.For("row", rows, [&](PrimRef r) {
    s.For("column", columns, [&](PrimRef c) {
      const PrimRef first = m.Mul(m.FloorDiv(c, block), block);
      const PrimRef width = m.Min(block, m.Sub(columns, first));
      const PrimRef from = m.Add(m.Mul(first, rows), m.Mul(r, width));
      a.Store(s, kOut, m.Add(m.Mul(r, columns), c),
              a.Load(kResults, m.Add(from, m.FloorMod(c, block))));
    });
  });
  return s.Finish();
}

}  // namespace lathe::ops
