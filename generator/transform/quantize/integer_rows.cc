#include "generator/transform/quantize/integer_rows.h"

#include <utility>

#include "generator/ir/products.h"
#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/integer_epilogue.h"
#include "generator/transform/quantize/window_rows.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

namespace {

class RowsKernel {
 public:
  RowsKernel(ir::Context& context, const IntegerProduct& p)
      : p_(p), rows_(WindowRowsOf(p)), k_(context, p.name), m_(k_.math()) {}

  ir::PrimFunc Write(DType weight_dtype, IntegerEpilogue& epilogue, DType out_dtype,
                     const std::vector<int64_t>& weight_dims) {
    const BufferRef x = k_.Input("x", p_.x.dims, p_.x.affine.dtype);
    weights_ = k_.Input("weights", weight_dims, weight_dtype);
    bias_ = k_.Input("bias", {p_.columns}, DType::Int(32));
    epilogue.Declare(k_);
    epilogue_ = &epilogue;
    out_ = k_.Output(p_.dims, out_dtype);
    sums_ = k_.Scratch("sums", ir::kDotPanelColumns, DType::Int(32));
    ForEachLine(k_, p_, x, LineCopies::kLoops,
                [&](BufferRef source, PrimRef from, PrimRef first) { All(source, from, first); });
    return k_.Finish();
  }

 private:
  // Computes the rows that start at `from`. The first result is that of row `first`.
  void All(BufferRef source, PrimRef from, PrimRef first) {
    const DType wide = DType::Int(32);
    ops::Statements& s = k_.s();
    s.For("row", m_.Int(rows_.rows), [&](PrimRef row) {
      const PrimRef begin = m_.Add(from, m_.Mul(row, m_.Int(rows_.step)));
      s.For("panel", m_.Int(ir::DotPanels(p_.columns)), [&](PrimRef panel) {
        const PrimRef lanes = ir::PanelColumns(m_.ir(), panel, p_.columns);
        const auto column = [&](PrimRef lane) {
          return m_.Add(m_.Mul(panel, m_.Int(ir::kDotPanelColumns)), lane);
        };
        s.For("lane", lanes,
              [&](PrimRef lane) { s.Store(sums_, {lane}, k_.At(bias_, column(lane))); });
        s.For("piece", m_.Int(rows_.pieces), [&](PrimRef piece) {
          s.For("k", m_.Int(rows_.count), [&](PrimRef k) {
            const PrimRef at = m_.Add(m_.Add(begin, m_.Mul(piece, m_.Int(rows_.pitch))), k);
            s.For("lane", lanes, [&](PrimRef lane) {
              const PrimRef place =
                  ir::PieceIndex(m_.ir(), panel, piece, k, lane, rows_.pieces, rows_.count);
              const PrimRef product =
                  m_.Mul(m_.Cast(k_.At(source, at), wide), m_.Cast(k_.At(weights_, place), wide));
              s.Store(sums_, {lane}, m_.Add(k_.At(sums_, lane), product));
            });
          });
        });
        s.For("lane", lanes, [&](PrimRef lane) {
          const PrimRef result = m_.Mul(m_.Add(first, row), m_.Int(p_.columns));
          s.Store(out_, {m_.Add(result, column(lane))},
                  epilogue_->Of(k_, k_.At(sums_, lane), column(lane)));
        });
      });
    });
  }

  const IntegerProduct& p_;
  const WindowRows rows_;
  KernelBuilder k_;
  ops::ScalarMath& m_;
  BufferRef weights_ = nullptr, bias_ = nullptr, out_ = nullptr, sums_ = nullptr;
  const IntegerEpilogue* epilogue_ = nullptr;
};

// Pads the columns and the depth of each piece with zeros.
StoredWeights RowsInPanels(const IntegerProduct& p) {
  const WindowRows rows = WindowRowsOf(p);
  const int64_t width = ir::kDotPanelColumns, four = ir::kDotPanelDepth;
  const int64_t panels = ir::DotPanels(p.columns), fours = ir::DotPanelFours(rows.count);
  StoredWeights stored = {{panels, rows.pieces * fours, width, four}, {}};
  stored.values.resize(static_cast<size_t>(panels * rows.pieces * fours * width * four));
  for (int64_t c = 0; c < p.columns; ++c) {
    for (int64_t k = 0; k < p.depth; ++k) {
      const int64_t piece = k / rows.count, at = k % rows.count;
      const int64_t group = (c / width * rows.pieces + piece) * fours + at / four;
      stored.values[static_cast<size_t>((group * width + c % width) * four + at % four)] =
          p.weights[static_cast<size_t>(c * p.depth + k)];
    }
  }
  return stored;
}

}  // namespace

bool HasRowForm(const IntegerProduct& p, DType weight_dtype, const RequiredResult& wanted) {
  const DType small = DType::Int(8);
  if (p.x.affine.dtype != small || weight_dtype != small || wanted.dtype() != small) return false;
  if (!wanted.affine || p.channels_first || p.epilogue) return false;
  return HasPieces(p);
}

MaybeOperand EmitIntegerRows(IntegerGraph& graph, const IntegerProduct& p, const RealOperator& op,
                             const RequiredResult& wanted) {
  const StoredWeights weights = RowsInPanels(p);
  return EmitProductKernel(
      graph, p, op, wanted, weights,
      [&](DType weight_dtype, IntegerEpilogue& epilogue, DType dtype) {
        return RowsKernel(graph.ir(), p).Write(weight_dtype, epilogue, dtype, weights.dims);
      });
}

}  // namespace lathe::transform
