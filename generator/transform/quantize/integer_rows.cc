#include "generator/transform/quantize/integer_rows.h"

#include <utility>

#include "generator/ir/products.h"
#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/copy_lines.h"
#include "generator/transform/quantize/integer_epilogue.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

namespace {

// The rows that are computed together, and the contiguous pieces of each.
struct Rows {
  int64_t rows = 1, step = 0;
  int64_t pieces = 1, pitch = 0;
  int64_t count = 1;  // elements of a piece
};

// True when all rows are consecutive; otherwise rows are the windows of one line at a time.
bool AreConsecutive(const IntegerProduct& p) {
  return !p.window || (p.window->is_dot() && !p.window->has_padding() && p.window->stride_h == 1 &&
                       p.window->stride_w == 1);
}

Rows RowsOf(const IntegerProduct& p) {
  if (AreConsecutive(p)) return {p.rows, p.depth, 1, 0, p.depth};
  const IntegerWindow& w = *p.window;
  // Copied lines are consecutive.
  const int64_t pitch = w.has_padding() ? PaddedLine(w) : w.dilation_h * w.width * w.channels;
  return {w.out_w, w.stride_w * w.channels, w.kernel_h, pitch, w.kernel_w * w.channels};
}

class RowsKernel {
 public:
  RowsKernel(ir::Context& context, const IntegerProduct& p)
      : p_(p), rows_(RowsOf(p)), k_(context, p.name), m_(k_.math()) {}

  ir::PrimFunc Write(DType weight_dtype, IntegerEpilogue& epilogue, DType out_dtype,
                     const std::vector<int64_t>& weight_dims) {
    const BufferRef x = k_.Input("x", p_.x.dims, p_.x.affine.dtype);
    weights_ = k_.Input("weights", weight_dims, weight_dtype);
    bias_ = k_.Input("bias", {p_.columns}, DType::Int(32));
    epilogue.Declare(k_);
    epilogue_ = &epilogue;
    out_ = k_.Output(p_.dims, out_dtype);
    sums_ = k_.Scratch("sums", ir::kDotPanelColumns, DType::Int(32));
    if (AreConsecutive(p_)) {
      All(x, m_.Int(0), m_.Int(0));
      return k_.Finish();
    }
    const IntegerWindow& w = *p_.window;
    const BufferRef lines = w.has_padding() ? LinesOf(k_, p_) : nullptr;
    k_.s().For("line", m_.Int(w.batch * w.out_h), [&](PrimRef line) {
      const PrimRef n = w.batch == 1 ? m_.Int(0) : m_.FloorDiv(line, m_.Int(w.out_h));
      const PrimRef y = w.batch == 1 ? line : m_.FloorMod(line, m_.Int(w.out_h));
      const PrimRef top = m_.Sub(m_.Mul(y, m_.Int(w.stride_h)), m_.Int(w.top));
      const PrimRef first = m_.Mul(line, m_.Int(w.out_w));
      if (lines != nullptr) {
        CopyLines(k_, p_, x, lines, n, k_.s().Let("top", top));
        return All(lines, m_.Int(0), first);
      }
      const PrimRef from = m_.Add(m_.Mul(n, m_.Int(w.height)), top);
      All(x, m_.Mul(from, m_.Int(w.width * w.channels)), first);
    });
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
  const Rows rows_;
  KernelBuilder k_;
  ops::ScalarMath& m_;
  BufferRef weights_ = nullptr, bias_ = nullptr, out_ = nullptr, sums_ = nullptr;
  const IntegerEpilogue* epilogue_ = nullptr;
};

// Pads the columns and the depth of each piece with zeros.
StoredWeights RowsInPanels(const IntegerProduct& p) {
  const Rows rows = RowsOf(p);
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
  return !p.window ||
         (p.window->groups == 1 && (p.window->dilation_w == 1 || p.window->kernel_w == 1));
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
