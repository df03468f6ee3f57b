#include "generator/ops/operation_definitions.h"

#include <cstdint>
#include <functional>
#include <utility>

#include "generator/ir/defined_operations.h"
#include "generator/ir/map_children.h"
#include "generator/ops/fixed_point_math.h"
#include "generator/ops/scalar_math.h"
#include "generator/ops/statements.h"
#include "generator/support/check.h"

namespace lathe::ops {
namespace {

using ir::DType;
using ir::PrimRef;

const DType kSumDType = DType::Int(32);

// The arguments of a call.
class Arguments {
 public:
  Arguments(ir::Context& context, const ir::Intrinsic& call) : m_(context), call_(call) {}

  ScalarMath& math() { return m_; }
  size_t count() const { return call_.args.size(); }
  PrimRef At(size_t arg) const { return call_.args[arg]; }
  int64_t Number(size_t arg) const {
    const auto* imm = call_.args[arg]->As<ir::IntImm>();
    LATHE_CHECK(imm != nullptr, "a number");
    return imm->value;
  }
  // An element of the memory that starts at the argument.
  PrimRef Load(size_t arg, PrimRef index) {
    return m_.ir().MakeLoad(BufferOf(arg), {m_.Add(IndexOf(arg), index)});
  }
  void Store(Statements& s, size_t arg, PrimRef index, PrimRef value) {
    s.Store(BufferOf(arg), {m_.Add(IndexOf(arg), index)}, value);
  }

 private:
  ir::BufferRef BufferOf(size_t arg) const { return call_.args[arg]->As<ir::Load>()->buffer; }
  PrimRef IndexOf(size_t arg) const { return call_.args[arg]->As<ir::Load>()->indices[0]; }

  ScalarMath m_;
  const ir::Intrinsic& call_;
};

PrimRef Widened(ScalarMath& m, PrimRef value) { return m.Cast(value, kSumDType); }
PrimRef Whole(ScalarMath& m, int64_t value) { return m.ir().Int(value, kSumDType); }

// What differs between operations.
struct Layout {
  size_t first = 0;  // the argument x; weights, starts, scales, (scratch) and the result follow
  size_t range = 0;  // the argument of the lowest result; that of the highest follows
  std::function<PrimRef(PrimRef c)> start;
  std::function<PrimRef(PrimRef c, PrimRef piece, PrimRef k)> weight;
  std::function<PrimRef(PrimRef sum, PrimRef c)> scaled;  // an int32, with the zero point
};

class PairedLayout {
 public:
  explicit PairedLayout(Arguments& args, size_t first) : a_(args), m_(args.math()), x_(first) {}

  // The pair holds bias[a] + 256 * bias[b] and bias[a].
  PrimRef Start(PrimRef c) {
    const PrimRef pair = m_.Sub(c, m_.FloorMod(c, m_.Int(2)));
    const PrimRef mixed = a_.Load(x_ + 2, pair), low = a_.Load(x_ + 2, m_.Add(pair, m_.Int(1)));
    const PrimRef high = m_.Binary(ir::BinaryOp::kShr, m_.Sub(mixed, low), Whole(m_, 8));
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
    const PrimRef at = m_.FloorMod(place, m_.Int(4));
    const PrimRef half = m_.Mul(m_.FloorMod(at, m_.Int(2)), m_.Int(8));
    const PrimRef pair = m_.Mul(m_.FloorDiv(m_.FloorMod(c, m_.Int(4)), m_.Int(2)), m_.Int(4));
    const PrimRef element = m_.Mul(m_.FloorDiv(at, m_.Int(2)), m_.Int(2));
    const PrimRef both = m_.Add(m_.Add(m_.Mul(four, m_.Int(16)), half), m_.Add(pair, element));
    const PrimRef first = Widened(m_, a_.Load(x_ + 1, both));
    const PrimRef second = Widened(m_, a_.Load(x_ + 1, m_.Add(both, m_.Int(1))));
    const PrimRef less = m_.Select(m_.Lt(first, Whole(m_, 0)), Whole(m_, 1), Whole(m_, 0));
    return m_.Select(IsFirst(c), first, m_.Add(second, less));
  }

  // Scaled by the mantissa and the shift less one at position `c` of the scales.
  PrimRef Scaled(PrimRef sum, size_t scales, PrimRef c, int64_t zero) {
    const PrimRef at = m_.Mul(c, m_.Int(2));
    const PrimRef shift = m_.Add(a_.Load(scales, m_.Add(at, m_.Int(1))), Whole(m_, 1));
    return m_.Add(ScaledRight(m_, sum, a_.Load(scales, at), shift), Whole(m_, zero));
  }

 private:
  PrimRef IsFirst(PrimRef c) { return m_.Eq(m_.FloorMod(c, m_.Int(2)), m_.Int(0)); }

  Arguments& a_;
  ScalarMath& m_;
  const size_t x_;
};

// Scaled by a mantissa and a negative shift; the shifts follow `padded` mantissas.
PrimRef HeliumScaled(Arguments& a, PrimRef sum, size_t scales, PrimRef at, int64_t padded,
                     int64_t zero) {
  ScalarMath& m = a.math();
  const PrimRef shift = m.Sub(Whole(m, 0), a.Load(scales, m.Add(at, m.Int(padded))));
  return m.Add(ScaledRight(m, sum, a.Load(scales, at), shift), Whole(m, zero));
}

ir::StmtRef RowProducts(Arguments& a, const Layout& layout) {
  ScalarMath& m = a.math();
  Statements s(m.ir());
  ir::Buffer sums;
  sums.name = "sum";
  sums.dtype = kSumDType;
  sums.shape = {m.Int(1)};
  sums.data = m.ir().NewPointer(sums.name, sums.dtype, sums.scope);
  const ir::BufferRef sum = m.ir().NewBuffer(std::move(sums));
  const PrimRef value = m.ir().MakeLoad(sum, {m.Int(0)});
  const size_t x = layout.first, out = x + 5;
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
      a.Store(
          s, out, m.Add(m.Mul(row, m.Int(a.Number(5))), c),
          ClippedTo(m, scaled, a.Number(layout.range), a.Number(layout.range + 1), DType::Int(8)));
    });
  });
  ir::AllocStmt alloc;
  alloc.buffer = sum;
  alloc.body = s.Finish();
  return m.ir().Make(ir::Stmt::Node(std::move(alloc)), {});
}

ir::StmtRef ChannelProducts(Arguments& a, const std::function<PrimRef(PrimRef c)>& start,
                            const std::function<PrimRef(PrimRef c, int64_t tap)>& weight,
                            const std::function<PrimRef(PrimRef sum, PrimRef c)>& scaled) {
  ScalarMath& m = a.math();
  Statements s(m.ir());
  constexpr size_t kRange = 8, kX = 10;
  const size_t out = a.count() - 1;
  s.For("column", a.At(0), [&](PrimRef column) {
    s.For("c", a.At(1), [&](PrimRef c) {
      PrimRef sum = start(c);
      for (int64_t y = 0; y < a.Number(3); ++y) {
        for (int64_t k = 0; k < a.Number(5); ++k) {
          const PrimRef place = m.Add(m.Mul(m.Int(y), a.At(4)), m.Mul(m.Int(k), a.At(6)));
          const PrimRef at = m.Add(m.Add(m.Mul(column, a.At(2)), place), c);
          sum = m.Add(sum, m.Mul(Widened(m, a.Load(kX, at)), weight(c, y * a.Number(5) + k)));
        }
      }
      const PrimRef value = s.Let("scaled", scaled(s.Let("sum", sum), c));
      a.Store(s, out, m.Add(m.Mul(column, a.At(1)), c),
              ClippedTo(m, value, a.Number(kRange), a.Number(kRange + 1), DType::Int(8)));
    });
  });
  return s.Finish();
}

ir::StmtRef Paired(Arguments& a, bool twice) {
  ScalarMath& m = a.math();
  const size_t first = twice ? 10 : 11;
  PairedLayout paired(a, first);
  Layout layout;
  layout.first = first;
  layout.range = first - 2;
  layout.start = [&](PrimRef c) { return paired.Start(c); };
  layout.weight = [&](PrimRef c, PrimRef piece, PrimRef k) {
    return paired.Weight(c, piece, k, a.Number(2), a.Number(4));
  };
  layout.scaled = [&](PrimRef sum, PrimRef c) {
    const PrimRef at = m.Mul(c, m.Int(a.Number(6)));
    if (twice) return paired.Scaled(sum, first + 3, at, a.Number(7));
    const DType wide = DType::Int(64);
    const PrimRef product = m.Mul(m.Cast(sum, wide), m.Cast(a.Load(first + 3, at), wide));
    const PrimRef moved = m.Add(product, m.ir().Int(a.Number(7), wide));
    return Widened(m, m.Binary(ir::BinaryOp::kShr, moved, m.ir().Int(a.Number(8), wide)));
  };
  return RowProducts(a, layout);
}

ir::StmtRef PairedDepthwise(Arguments& a) {
  ScalarMath& m = a.math();
  PairedLayout paired(a, 10);
  const int64_t taps = a.Number(3) * a.Number(5);
  // As ir::PairedChannelIndex. Weights and biases are twice as large.
  const auto weight = [&](PrimRef c, int64_t tap) {
    const PrimRef four = m.Add(m.Mul(m.FloorDiv(c, m.Int(4)), m.Int(taps)), m.Int(tap));
    const PrimRef half = m.Add(m.Mul(m.FloorMod(c, m.Int(2)), m.Int(2)),
                               m.FloorDiv(m.FloorMod(c, m.Int(4)), m.Int(2)));
    return Widened(m, a.Load(11, m.Add(m.Mul(four, m.Int(4)), half)));
  };
  const auto start = [&](PrimRef c) { return a.Load(12, c); };
  return ChannelProducts(a, start, weight, [&](PrimRef sum, PrimRef c) {
    const PrimRef half = m.Binary(ir::BinaryOp::kShr, sum, Whole(m, 1));
    return paired.Scaled(half, 13, c, a.Number(7));
  });
}

ir::StmtRef Helium(Arguments& a) {
  ScalarMath& m = a.math();
  const bool gathered = a.Number(7) != 0;
  const int64_t count = a.Number(4), each = a.Number(6);
  const int64_t pieces = gathered ? 1 : a.Number(2);
  const int64_t length = gathered ? count * a.Number(2) : count;
  const int64_t padded = each == 0 ? 1 : ir::RoundUpTo(ir::kHeliumSums, a.Number(5));
  Layout layout;
  layout.first = 11;
  layout.range = 9;
  layout.start = [&](PrimRef c) { return a.Load(13, c); };
  // As ir::HeliumIndex.
  layout.weight = [&](PrimRef c, PrimRef piece, PrimRef k) {
    PrimRef block = m.Mul(m.FloorDiv(c, m.Int(2)), m.Int(pieces));
    if (gathered) {
      k = m.Add(m.Mul(piece, m.Int(count)), k);
    } else {
      block = m.Add(block, piece);
    }
    const PrimRef lanes = m.Add(m.Mul(m.FloorDiv(k, m.Int(16)), m.Int(32)),
                                m.Mul(m.FloorMod(c, m.Int(2)), m.Int(16)));
    const PrimRef at = m.Add(m.Mul(block, m.Int(ir::HeliumPiece(length))), lanes);
    return Widened(m, a.Load(12, m.Add(at, m.FloorMod(k, m.Int(16)))));
  };
  layout.scaled = [&](PrimRef sum, PrimRef c) {
    return HeliumScaled(a, sum, 14, m.Mul(c, m.Int(each)), padded, a.Number(8));
  };
  return RowProducts(a, layout);
}

ir::StmtRef Quads(Arguments& a) {
  ScalarMath& m = a.math();
  const int64_t count = a.Number(4), each = a.Number(6), offset = a.Number(7);
  const int64_t elements = ir::RoundUpTo(ir::kQuadElements, a.Number(2) * count);
  PairedLayout paired(a, 12);
  Layout layout;
  layout.first = 12;
  layout.range = 10;
  layout.start = [&](PrimRef c) { return a.Load(14, c); };
  // As ir::QuadIndex.
  layout.weight = [&](PrimRef c, PrimRef piece, PrimRef k) {
    const PrimRef element = m.Add(m.Mul(piece, m.Int(count)), k);
    const PrimRef four = m.Add(m.Mul(m.FloorDiv(c, m.Int(4)), m.Int(elements)), element);
    const PrimRef at = m.Add(m.Mul(four, m.Int(4)), m.FloorMod(c, m.Int(4)));
    return m.Sub(Widened(m, a.Load(13, at)), Whole(m, offset));
  };
  layout.scaled = [&](PrimRef sum, PrimRef c) {
    return paired.Scaled(sum, 15, m.Mul(c, m.Int(each)), a.Number(9));
  };
  return RowProducts(a, layout);
}

ir::StmtRef HeliumDepthwise(Arguments& a) {
  ScalarMath& m = a.math();
  const int64_t taps = a.Number(3) * a.Number(5);
  constexpr size_t kWeights = 11, kNumbers = 12;
  const auto block = [&](PrimRef c) { return m.FloorDiv(c, m.Int(16)); };
  // As ir::HeliumChannelIndex and ir::HeliumBias.
  const auto weight = [&](PrimRef c, int64_t tap) {
    const PrimRef place = m.Add(m.Mul(block(c), m.Int(taps)), m.Int(tap));
    return Widened(m, a.Load(kWeights, m.Add(m.Mul(place, m.Int(16)), m.FloorMod(c, m.Int(16)))));
  };
  const auto upper = [&](PrimRef c) {
    return m.Mul(m.FloorDiv(m.FloorMod(c, m.Int(4)), m.Int(2)), m.Int(4));
  };
  const auto bias = [&](PrimRef c) {
    const PrimRef half = m.Add(m.Mul(block(c), m.Int(2)), m.FloorMod(c, m.Int(2)));
    const PrimRef lane = m.FloorDiv(m.FloorMod(c, m.Int(16)), m.Int(4));
    return m.Add(m.Mul(half, m.Int(ir::kHeliumNumbers)), m.Add(upper(c), lane));
  };
  const auto start = [&](PrimRef c) { return a.Load(kNumbers, bias(c)); };
  return ChannelProducts(a, start, weight, [&](PrimRef sum, PrimRef c) {
    const PrimRef mantissa = m.Add(bias(c), m.Add(upper(c), m.Int(8)));
    return HeliumScaled(a, sum, kNumbers, mantissa, 4, a.Number(7));
  });
}

ir::StmtRef PaddedLines(Arguments& a) {
  ScalarMath& m = a.math();
  Statements s(m.ir());
  const PrimRef height = a.At(1), length = a.At(2), before = a.At(3);
  const PrimRef zero = m.Cast(a.At(7), DType::Int(8));
  const PrimRef whole = m.Add(m.Add(before, length), a.At(4));
  constexpr size_t kEdges = 8, kX = 9, kOut = 10;
  s.For("y", a.At(5), [&](PrimRef y) {
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

}  // namespace

ir::StmtRef DefinitionOf(ir::Context& context, const ir::Intrinsic& call) {
  Arguments args(context, call);
  if (call.name == ir::kPaddedLines) return PaddedLines(args);
  if (call.name == ir::kPairedDepthwise) return PairedDepthwise(args);
  if (call.name == ir::kHeliumDepthwise) return HeliumDepthwise(args);
  if (call.name == ir::kHeliumProducts) return Helium(args);
  if (call.name == ir::kQuadProducts) return Quads(args);
  return Paired(args, call.name == ir::kPairedTwice);
}

ir::PrimFunc WithDefinitions(ir::Context& context, ir::PrimFunc func) {
  const std::function<ir::StmtRef(ir::StmtRef)> expanded = [&](ir::StmtRef stmt) {
    const auto* evaluate = stmt->As<ir::EvaluateStmt>();
    const auto* call = evaluate == nullptr ? nullptr : evaluate->value->As<ir::Intrinsic>();
    if (call != nullptr && ir::HasDefinition(call->name)) return DefinitionOf(context, *call);
    return ir::MapChildren(context, stmt, expanded);
  };
  if (func.body != nullptr) func.body = expanded(func.body);
  return func;
}

}  // namespace lathe::ops
