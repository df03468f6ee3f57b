#include "generator/ops/paired_products.h"

#include <cstdint>
#include <functional>

#include "generator/ir/map_children.h"
#include "generator/ir/paired_products.h"
#include "generator/ops/fixed_point_math.h"
#include "generator/ops/scalar_math.h"
#include "generator/ops/statements.h"
#include "generator/support/check.h"

namespace lathe::ops {
namespace {

using ir::DType;
using ir::PrimRef;

class PairedLoops {
 public:
  PairedLoops(ir::Context& context, const ir::Intrinsic& call)
      : m_(context), s_(context), call_(call) {}

  ir::StmtRef Products() {
    const PrimRef rows = call_.args[0], step = call_.args[1], pitch = call_.args[3];
    const int64_t pieces = Number(2), count = Number(4), columns = Number(5);
    const bool twice = call_.name == ir::kPairedTwice;
    const size_t x = twice ? 10 : 11, scratch = x + 4, out = x + 5;
    s_.For("row", rows, [&](PrimRef row) {
      s_.For("column", m_.Int(columns), [&](PrimRef c) {
        s_.Store(BufferOf(scratch), {IndexOf(scratch)}, Start(x + 2, c));
        s_.For("piece", m_.Int(pieces), [&](PrimRef piece) {
          s_.For("k", m_.Int(count), [&](PrimRef k) {
            const PrimRef at = m_.Add(m_.Add(m_.Mul(row, step), m_.Mul(piece, pitch)), k);
            const PrimRef weight = Weight(x + 1, c, piece, k, pieces, count);
            const PrimRef product = m_.Mul(Wide(At(x, at)), weight);
            s_.Store(BufferOf(scratch), {IndexOf(scratch)},
                     m_.Add(At(scratch, m_.Int(0)), product));
          });
        });
        const PrimRef to = m_.Add(m_.Mul(row, m_.Int(columns)), c);
        s_.Store(BufferOf(out), {m_.Add(IndexOf(out), to)},
                 twice ? ScaledOfTwo(At(scratch, m_.Int(0)), x + 3, m_.Mul(c, m_.Int(Number(6))), 7)
                       : ScaledOfOne(At(scratch, m_.Int(0)), x + 3, m_.Mul(c, m_.Int(Number(6)))));
      });
    });
    return s_.Finish();
  }

  ir::StmtRef PaddedLines() {
    const PrimRef height = call_.args[1], length = call_.args[2], before = call_.args[3];
    const PrimRef zero = m_.Cast(call_.args[7], DType::Int(8));
    const PrimRef whole = m_.Add(m_.Add(before, length), call_.args[4]);
    constexpr size_t kX = 9, kOut = 10;
    s_.For("y", call_.args[5], [&](PrimRef y) {
      const PrimRef line = s_.Let("line", m_.Add(m_.Mul(y, call_.args[6]), call_.args[0]));
      s_.For("i", whole, [&](PrimRef i) {
        const PrimRef place = m_.Sub(i, before);
        const PrimRef inside =
            m_.And(m_.InRange(line, m_.Int(0), height), m_.InRange(place, m_.Int(0), length));
        const PrimRef value =
            m_.IfThenElse(inside, At(kX, m_.Add(m_.Mul(line, length), place)), zero);
        const PrimRef to = m_.Add(IndexOf(kOut), m_.Add(m_.Mul(y, whole), i));
        const PrimRef zeros = m_.Not(m_.InRange(line, m_.Int(0), height));
        const PrimRef copied = m_.Or(m_.Or(m_.Ne(call_.args[8], m_.Int(0)), zeros),
                                     m_.InRange(place, m_.Int(0), length));
        s_.If(copied, [&] { s_.Store(BufferOf(kOut), {to}, value); });
      });
    });
    return s_.Finish();
  }

  ir::StmtRef Depthwise() {
    const PrimRef columns = call_.args[0], channels = call_.args[1], step = call_.args[2];
    const PrimRef line = call_.args[4], width = call_.args[5], tap = call_.args[6];
    constexpr size_t kX = 10, kWeights = 11, kBias = 12, kScales = 13, kOut = 14;
    s_.For("column", columns, [&](PrimRef column) {
      s_.For("c", channels, [&](PrimRef c) {
        PrimRef sum = At(kBias, c);
        for (int64_t y = 0; y < Number(3); ++y) {
          for (int64_t k = 0; k < Number(5); ++k) {
            const PrimRef place = m_.Add(m_.Mul(m_.Int(y), line), m_.Mul(m_.Int(k), tap));
            const PrimRef at = m_.Add(m_.Add(m_.Mul(column, step), place), c);
            const PrimRef taps = m_.Mul(call_.args[3], width);
            const PrimRef four =
                m_.Add(m_.Mul(m_.FloorDiv(c, m_.Int(4)), taps), m_.Int(y * Number(5) + k));
            const PrimRef half = m_.Add(m_.Mul(m_.FloorMod(c, m_.Int(2)), m_.Int(2)),
                                        m_.FloorDiv(m_.FloorMod(c, m_.Int(4)), m_.Int(2)));
            const PrimRef weight = At(kWeights, m_.Add(m_.Mul(four, m_.Int(4)), half));
            sum = m_.Add(sum, m_.Mul(Wide(At(kX, at)), Wide(weight)));
          }
        }
        // Weights and biases are twice as large.
        const PrimRef total =
            s_.Let("sum", m_.Binary(ir::BinaryOp::kShr, sum, m_.ir().Int(1, DType::Int(32))));
        s_.Store(BufferOf(kOut), {m_.Add(IndexOf(kOut), m_.Add(m_.Mul(column, channels), c))},
                 ScaledOfTwo(total, kScales, c, 7));
      });
    });
    return s_.Finish();
  }

 private:
  int64_t Number(size_t arg) const {
    const auto* imm = call_.args[arg]->As<ir::IntImm>();
    LATHE_CHECK(imm != nullptr, "a number");
    return imm->value;
  }
  ir::BufferRef BufferOf(size_t arg) const { return call_.args[arg]->As<ir::Load>()->buffer; }
  PrimRef IndexOf(size_t arg) const { return call_.args[arg]->As<ir::Load>()->indices[0]; }
  PrimRef At(size_t arg, PrimRef index) {
    return m_.ir().MakeLoad(BufferOf(arg), {m_.Add(IndexOf(arg), index)});
  }
  PrimRef Wide(PrimRef value) { return m_.Cast(value, DType::Int(32)); }

  // The first sum of a column: the pair holds bias[a] + 256 * bias[b] and bias[a].
  PrimRef Start(size_t arg, PrimRef c) {
    const PrimRef pair = m_.Sub(c, m_.FloorMod(c, m_.Int(2)));
    const PrimRef mixed = At(arg, pair), low = At(arg, m_.Add(pair, m_.Int(1)));
    const PrimRef high = m_.Binary(ir::BinaryOp::kShr, m_.Sub(mixed, low), Eight());
    return m_.Select(IsFirst(c), low, high);
  }
  PrimRef Eight() { return m_.ir().Int(8, DType::Int(32)); }
  PrimRef IsFirst(PrimRef c) { return m_.Eq(m_.FloorMod(c, m_.Int(2)), m_.Int(0)); }

  // As ir::PairedIndex, of an element that is not the repeated one. The weight of a second column
  // is stored one less if that of the first is negative.
  PrimRef Weight(size_t arg, PrimRef c, PrimRef piece, PrimRef k, int64_t pieces, int64_t count) {
    const int64_t depth = ir::PairedDepth(count), fours = depth / ir::kPairedElements;
    PrimRef place = k;
    if (depth != count && fours > 1) {
      const PrimRef last = m_.FloorDiv(k, m_.Int(depth - ir::kPairedElements));
      place = m_.Add(k, m_.Mul(last, m_.Int(depth - count)));
    }
    const PrimRef four = m_.Add(
        m_.Mul(m_.Add(m_.Mul(m_.FloorDiv(c, m_.Int(4)), m_.Int(pieces)), piece), m_.Int(fours)),
        m_.FloorDiv(place, m_.Int(4)));
    const PrimRef at = m_.FloorMod(place, m_.Int(4));
    const PrimRef half = m_.Mul(m_.FloorMod(at, m_.Int(2)), m_.Int(8));
    const PrimRef pair = m_.Mul(m_.FloorDiv(m_.FloorMod(c, m_.Int(4)), m_.Int(2)), m_.Int(4));
    const PrimRef element = m_.Mul(m_.FloorDiv(at, m_.Int(2)), m_.Int(2));
    const PrimRef both = m_.Add(m_.Add(m_.Mul(four, m_.Int(16)), half), m_.Add(pair, element));
    const PrimRef first = Wide(At(arg, both)), second = Wide(At(arg, m_.Add(both, m_.Int(1))));
    const PrimRef zero = m_.ir().Int(0, DType::Int(32)), one = m_.ir().Int(1, DType::Int(32));
    const PrimRef less = m_.Select(m_.Lt(first, zero), one, zero);
    return m_.Select(IsFirst(c), first, m_.Add(second, less));
  }

  // Requantizes with the mantissa and the shift at position `c` of the scales. The zero point and
  // the range begin at argument `zero`.
  PrimRef ScaledOfTwo(PrimRef sum, size_t scales, PrimRef c, size_t zero) {
    const DType whole = DType::Int(32);
    const PrimRef at = m_.Mul(c, m_.Int(2));
    const PrimRef shift = m_.Add(At(scales, m_.Add(at, m_.Int(1))), m_.ir().Int(1, whole));
    const PrimRef scaled = s_.Let("scaled", ScaledRight(m_, sum, At(scales, at), shift));
    const PrimRef value = m_.Add(scaled, m_.ir().Int(Number(zero), whole));
    return ClippedTo(m_, value, Number(zero + 1), Number(zero + 2), DType::Int(8));
  }
  // The same with a factor, a start and a shift.
  PrimRef ScaledOfOne(PrimRef sum, size_t factors, PrimRef c) {
    const DType wide = DType::Int(64);
    const PrimRef product = m_.Mul(m_.Cast(sum, wide), m_.Cast(At(factors, c), wide));
    const PrimRef moved = m_.Add(product, m_.ir().Int(Number(7), wide));
    const PrimRef shifted = m_.Binary(ir::BinaryOp::kShr, moved, m_.ir().Int(Number(8), wide));
    const PrimRef value = s_.Let("scaled", m_.Cast(shifted, DType::Int(32)));
    return ClippedTo(m_, value, Number(9), Number(10), DType::Int(8));
  }

  ScalarMath m_;
  Statements s_;
  const ir::Intrinsic& call_;
};

}  // namespace

ir::StmtRef PairedDefinition(ir::Context& context, const ir::Intrinsic& call) {
  PairedLoops loops(context, call);
  if (call.name == ir::kPaddedLines) return loops.PaddedLines();
  return call.name == ir::kPairedDepthwise ? loops.Depthwise() : loops.Products();
}

ir::PrimFunc WithPairedDefinitions(ir::Context& context, ir::PrimFunc func) {
  const std::function<ir::StmtRef(ir::StmtRef)> expanded = [&](ir::StmtRef stmt) {
    const auto* evaluate = stmt->As<ir::EvaluateStmt>();
    const auto* call = evaluate == nullptr ? nullptr : evaluate->value->As<ir::Intrinsic>();
    if (call != nullptr && ir::IsPaired(call->name)) return PairedDefinition(context, *call);
    return ir::MapChildren(context, stmt, expanded);
  };
  if (func.body != nullptr) func.body = expanded(func.body);
  return func;
}

}  // namespace lathe::ops
