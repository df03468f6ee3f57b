#include "generator/ops/definitions/paired_definitions.h"

#include <cstdint>

#include "generator/ir/paired_products.h"
#include "generator/ir/quad_products.h"
#include "generator/ops/te/fixed_point_math.h"
#include "generator/support/align_up.h"

namespace lathe::ops {

using ir::DType;
using ir::PrimRef;

namespace {

class PairedLayout {
 public:
  explicit PairedLayout(OperationArguments& args) : a_(args), m_(args.math()), x_(args.first()) {}

  // The pair holds bias[a] + 256 * bias[b] and bias[a].
  PrimRef Start(PrimRef c) {
    const PrimRef pair = m_.Sub(c, m_.FloorMod(c, m_.Int(2)));
    const PrimRef mixed = a_.Load(x_ + 2, pair), low = a_.Load(x_ + 2, m_.Add(pair, m_.Int(1)));
    const PrimRef high = m_.Binary(ir::BinaryOp::kShr, m_.Sub(mixed, low), WholeOf(m_, 8));
    return m_.Select(IsFirst(c), low, high);
  }

  // As ir::PairedIndex, of an element that is not the repeated one. The weight of a second column
  // is stored one less if that of the first is negative.
  PrimRef Weight(PrimRef c, PrimRef piece, PrimRef k, int64_t pieces, int64_t count) {
    const int64_t depth = ir::PairedDepth(count), fours = depth / ir::kPairedElements;
    PrimRef place = k;
    if (depth != count && fours > 1) {
      const PrimRef last = m_.FloorDiv(k, m_.Int(depth - ir::kPairedElements));
      place = m_.Add(k, m_.Mul(last, m_.Int(depth - count)));
    }
    const PrimRef block = m_.Mul(m_.FloorDiv(c, m_.Int(4)), m_.Int(pieces));
    const PrimRef four =
        m_.Add(m_.Mul(m_.Add(block, piece), m_.Int(fours)), m_.FloorDiv(place, m_.Int(4)));
    return WeightIn(four, c, place, ir::kPairedColumns);
  }

  // As ir::PairedIndex, with blocks of kPairedRowColumns.
  PrimRef RowWeight(PrimRef c, PrimRef k, int64_t elements) {
    const PrimRef block = m_.Mul(m_.FloorDiv(c, m_.Int(ir::kPairedRowColumns)),
                                 m_.Int(elements / ir::kPairedElements));
    const PrimRef four = m_.Add(block, m_.FloorDiv(k, m_.Int(4)));
    return WeightIn(four, c, k, ir::kPairedRowColumns);
  }

 private:
  // The weight of column `c` and the element at `place` in their group of four elements by `block`
  // columns.
  PrimRef WeightIn(PrimRef four, PrimRef c, PrimRef place, int64_t block) {
    const PrimRef at = m_.FloorMod(place, m_.Int(4));
    const PrimRef half = m_.Mul(m_.FloorMod(at, m_.Int(2)), m_.Int(2 * block));
    const PrimRef column = m_.FloorMod(c, m_.Int(block));
    const PrimRef pair = m_.Mul(m_.FloorDiv(column, m_.Int(2)), m_.Int(4));
    const PrimRef element = m_.Mul(m_.FloorDiv(at, m_.Int(2)), m_.Int(2));
    return Of(c, m_.Add(m_.Add(m_.Mul(four, m_.Int(4 * block)), half), m_.Add(pair, element)));
  }

  // Of the weights of a pair, which start at `both`.
  PrimRef Of(PrimRef c, PrimRef both) {
    const PrimRef first = Widened(m_, a_.Load(x_ + 1, both));
    const PrimRef second = Widened(m_, a_.Load(x_ + 1, m_.Add(both, m_.Int(1))));
    const PrimRef less = m_.Select(m_.Lt(first, WholeOf(m_, 0)), WholeOf(m_, 1), WholeOf(m_, 0));
    return m_.Select(IsFirst(c), first, m_.Add(second, less));
  }

  PrimRef IsFirst(PrimRef c) { return m_.Eq(m_.FloorMod(c, m_.Int(2)), m_.Int(0)); }

  OperationArguments& a_;
  ScalarMath& m_;
  const size_t x_;
};

// Returns the result of `sum`, without the zero point, for a scale.
PrimRef WithZero(OperationArguments& a, PrimRef sum, PrimRef mantissa, PrimRef shift) {
  ScalarMath& m = a.math();
  return m.Add(ScaledRight(m, sum, mantissa, shift), WholeOf(m, a.Number(a.zero())));
}

// Returns the result of `sum` for the scale at position `c`: a factor, or a mantissa and a shift to
// the right less one.
PrimRef Scaled(OperationArguments& a, PrimRef sum, PrimRef c) {
  ScalarMath& m = a.math();
  const size_t scales = a.first() + 3;
  if (a.once()) return ScaledByFactor(a, sum, a.Load(scales, c));
  const PrimRef at = m.Mul(c, m.Int(2));
  const PrimRef shift = m.Add(a.Load(scales, m.Add(at, m.Int(1))), WholeOf(m, 1));
  return WithZero(a, sum, a.Load(scales, at), shift);
}

// The same for scales of paired products: twice the mantissa less 2^32, and after that of the first
// of four columns a word with the shifts of all.
PrimRef PairedScaled(OperationArguments& a, PrimRef sum, PrimRef c) {
  ScalarMath& m = a.math();
  const size_t scales = a.first() + 3;
  if (a.once()) return ScaledByFactor(a, sum, a.Load(scales, c));
  const PrimRef group = m.Mul(m.FloorDiv(c, m.Int(4)), m.Int(5)), at = m.FloorMod(c, m.Int(4));
  const PrimRef stored = a.Load(scales, m.Add(group, m.Add(at, m.Min(at, m.Int(1)))));
  const PrimRef quarter = WholeOf(m, int64_t{1} << 30);
  const PrimRef half = m.Binary(ir::BinaryOp::kShr, stored, WholeOf(m, 1));
  const PrimRef shifts = a.Load(scales, m.Add(group, m.Int(1)));
  const PrimRef moved = m.Binary(ir::BinaryOp::kShr, shifts, m.Mul(Widened(m, at), WholeOf(m, 8)));
  const PrimRef shift = m.Binary(ir::BinaryOp::kBitAnd, moved, WholeOf(m, 255));
  return WithZero(a, sum, m.Add(m.Add(half, quarter), quarter), m.Add(shift, WholeOf(m, 1)));
}

}  // namespace

ir::StmtRef PairedProducts(OperationArguments& a) {
  ScalarMath& m = a.math();
  PairedLayout paired(a);
  RowLayout layout;
  layout.start = [&](PrimRef c) { return paired.Start(c); };
  layout.weight = [&](PrimRef c, PrimRef piece, PrimRef k) {
    return paired.Weight(c, piece, k, a.Number(2), a.Number(4));
  };
  layout.scaled = [&](PrimRef sum, PrimRef c) {
    return PairedScaled(a, sum, m.Mul(c, m.Int(a.Number(6))));
  };
  return RowProducts(a, layout);
}

ir::StmtRef PairedRow(OperationArguments& a) {
  ScalarMath& m = a.math();
  PairedLayout paired(a);
  const int64_t count = a.Number(4), elements = AlignUp(a.Number(2) * count, ir::kPairedElements);
  RowLayout layout;
  layout.start = [&](PrimRef c) { return paired.Start(c); };
  layout.weight = [&](PrimRef c, PrimRef piece, PrimRef k) {
    return paired.RowWeight(c, m.Add(m.Mul(piece, m.Int(count)), k), elements);
  };
  layout.scaled = [&](PrimRef sum, PrimRef c) {
    return PairedScaled(a, sum, m.Mul(c, m.Int(a.Number(6))));
  };
  return RowProducts(a, layout);
}

ir::StmtRef PairedDepthwise(OperationArguments& a) {
  ScalarMath& m = a.math();
  const size_t x = a.first();
  const int64_t taps = a.Number(3) * a.Number(5);
  // As ir::PairedChannelIndex.
  const auto weight = [&](PrimRef c, int64_t tap) {
    const PrimRef four = m.Add(m.Mul(m.FloorDiv(c, m.Int(4)), m.Int(taps)), m.Int(tap));
    const PrimRef half = m.Add(m.Mul(m.FloorMod(c, m.Int(2)), m.Int(2)),
                               m.FloorDiv(m.FloorMod(c, m.Int(4)), m.Int(2)));
    return Widened(m, a.Load(x + 1, m.Add(m.Mul(four, m.Int(4)), half)));
  };
  const auto start = [&](PrimRef c) { return a.Load(x + 2, c); };
  return ChannelProducts(a, start, weight,
                         [&](PrimRef sum, PrimRef c) { return PairedScaled(a, sum, c); });
}

ir::StmtRef QuadDepthwise(OperationArguments& a) {
  ScalarMath& m = a.math();
  const size_t x = a.first();
  const int64_t taps = a.Number(3) * a.Number(5);
  const auto weight = [&](PrimRef c, int64_t tap) {
    return Widened(m, a.Load(x + 1, m.Add(m.Mul(c, m.Int(taps)), m.Int(tap))));
  };
  const auto start = [&](PrimRef c) { return a.Load(x + 2, c); };
  return ChannelProducts(a, start, weight,
                         [&](PrimRef sum, PrimRef c) { return Scaled(a, sum, c); });
}

ir::StmtRef QuadProducts(OperationArguments& a) {
  ScalarMath& m = a.math();
  const size_t x = a.first();
  const int64_t count = a.Number(4), each = a.Number(7), offset = a.Number(8);
  const int64_t elements = AlignUp(a.Number(2) * count, ir::kQuadElements);
  RowLayout layout;
  layout.start = [&](PrimRef c) { return a.Load(x + 2, c); };
  // As ir::QuadIndex.
  layout.weight = [&](PrimRef c, PrimRef piece, PrimRef k) {
    const PrimRef element = m.Add(m.Mul(piece, m.Int(count)), k);
    const PrimRef four = m.Add(m.Mul(m.FloorDiv(c, m.Int(4)), m.Int(elements)), element);
    const PrimRef at = m.Add(m.Mul(four, m.Int(4)), m.FloorMod(c, m.Int(4)));
    return m.Sub(Widened(m, a.Load(x + 1, at)), WholeOf(m, offset));
  };
  layout.scaled = [&](PrimRef sum, PrimRef c) { return Scaled(a, sum, m.Mul(c, m.Int(each))); };
  return RowProducts(a, layout);
}

ir::StmtRef PaddedLines(OperationArguments& a) {
  ScalarMath& m = a.math();
  Statements s(m.ir());
  const PrimRef height = a.At(1), length = a.At(2), before = a.At(3);
  const PrimRef lines = a.At(5), fresh = a.At(7), zero = m.Cast(a.At(8), DType::Int(8));
  const PrimRef whole = m.Add(m.Add(before, length), a.At(4));
  constexpr size_t kEdges = 9, kX = 10, kOut = 11;
  s.For("y", m.Sub(lines, fresh), [&](PrimRef y) {
    s.For("i", length, [&](PrimRef i) {
      const PrimRef place = m.Add(m.Add(m.Mul(y, whole), before), i);
      a.Store(s, kOut, place, a.Load(kOut, m.Add(m.Mul(fresh, whole), place)));
    });
  });
  s.For("new", fresh, [&](PrimRef number) {
    const PrimRef y = s.Let("y", m.Add(m.Sub(lines, fresh), number));
    const PrimRef line = s.Let("line", m.Add(m.Mul(y, a.At(6)), a.At(0)));
    s.For("i", whole, [&](PrimRef i) {
      const PrimRef place = m.Sub(i, before);
      const PrimRef exists = m.InRange(line, m.Int(0), height);
      const PrimRef inside = m.InRange(place, m.Int(0), length);
      const PrimRef from = m.Add(m.Mul(line, length), place);
      const PrimRef value = m.IfThenElse(m.And(exists, inside), a.Load(kX, from), zero);
      const PrimRef edges = m.Or(m.Ne(a.At(kEdges), m.Int(0)), m.Not(exists));
      s.If(m.Or(edges, inside), [&] { a.Store(s, kOut, m.Add(m.Mul(y, whole), i), value); });
    });
  });
  return s.Finish();
}

}  // namespace lathe::ops
