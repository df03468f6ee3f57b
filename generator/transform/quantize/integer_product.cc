#include "generator/transform/quantize/integer_product.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/count_macs.h"
#include "generator/ir/int8_dot.h"
#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/integer_elements.h"
#include "generator/transform/quantize/integer_helium.h"
#include "generator/transform/quantize/integer_pairs.h"
#include "generator/transform/quantize/integer_quads.h"
#include "generator/transform/quantize/integer_rows.h"
#include "generator/transform/quantize/packed_weights.h"
#include "generator/transform/quantize/product_numbers.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

namespace {

constexpr int64_t kBlockRows = 2, kBlockColumns = 4;
constexpr int64_t kMinPanelColumns = 8;  // columns; with fewer, most of a panel is padding
constexpr int64_t kPanelColumns = 4 * ir::kDotPanelColumns;  // columns that are summed together

// The dimensions of the weights in the order that the kernel reads.
std::vector<int64_t> RowDims(const IntegerProduct& p) { return {p.columns, p.depth}; }
std::vector<int64_t> PanelDims(const IntegerProduct& p) {
  const int64_t panels = ir::DotPanels(p.columns), fours = ir::DotPanelFours(p.depth);
  return {panels, fours, ir::kDotPanelColumns, ir::kDotPanelDepth};
}

// Pads columns and depth with zeros.
std::vector<int64_t> WeightsInPanels(const IntegerProduct& p) {
  const int64_t width = ir::kDotPanelColumns, four = ir::kDotPanelDepth;
  const int64_t fours = ir::DotPanelFours(p.depth), panels = ir::DotPanels(p.columns);
  std::vector<int64_t> packed(static_cast<size_t>(panels * fours * width * four));
  for (int64_t c = 0; c < p.columns; ++c) {
    for (int64_t k = 0; k < p.depth; ++k) {
      const int64_t place = ((c / width * fours + k / four) * width + c % width) * four + k % four;
      packed[static_cast<size_t>(place)] = p.weights[static_cast<size_t>(c * p.depth + k)];
    }
  }
  return packed;
}

// Builds one kernel.
class ProductKernel {
 public:
  // `panels`: uses panels of columns instead of small blocks.
  ProductKernel(ir::Context& context, const IntegerProduct& p, bool panels)
      : p_(p), k_(context, p.name), m_(k_.math()), panels_(panels) {
    groups_ = p.window ? p.window->groups : 1;
    columns_ = p.columns / groups_;
    row_block_ = std::min(panels ? ir::kDotPanelRows : kBlockRows, p.rows);
    column_block_ = std::min(kBlockColumns, columns_);
  }

  ir::PrimFunc Write(DType weight_dtype, IntegerEpilogue& epilogue, DType out_dtype) {
    x_ = k_.Input("x", p_.x.dims, p_.x.affine.dtype);
    weights_ = k_.Input("weights", panels_ ? PanelDims(p_) : RowDims(p_), weight_dtype);
    bias_ = k_.Input("bias", {p_.columns}, DType::Int(32));
    epilogue.Declare(k_);
    out_ = k_.Output(p_.dims, out_dtype);
    epilogue_ = &epilogue;
    // A window is contiguous in the image only if it is a single position; otherwise it is gathered
    // first.
    gathers_ = p_.window && !(p_.window->is_dot() && !p_.window->has_padding());
    if (gathers_) patch_ = k_.Scratch("patch", row_block_ * p_.depth, p_.x.affine.dtype);
    if (panels_) {
      const int64_t columns = std::min(kPanelColumns, columns_);
      sums_ = k_.Scratch("sums", row_block_ * ir::DotPanels(columns) * ir::kDotPanelColumns,
                         DType::Int(32));
    }
    Blocks("row", p_.rows, row_block_, m_.Int(0), [&](PrimRef row) {
      std::vector<PrimRef> starts;
      for (int64_t r = 0; r < row_block_; ++r) starts.push_back(RowStart(m_.Add(row, m_.Int(r))));
      if (groups_ == 1) return Group(row, starts, m_.Int(0));
      k_.s().For("g", m_.Int(groups_), [&](PrimRef g) { Group(row, starts, g); });
    });
    ir::PrimFunc func = k_.Finish();
    int64_t macs = 0;
    if (!__builtin_mul_overflow(p_.rows * p_.columns, p_.depth, &macs)) {
      func.attrs[analysis::kMacs] = ir::AttrValue(macs);
    }
    return func;
  }

 private:
  // Calls `body` with the first index of each `block` of `count`. The last block may overlap the
  // previous one; both compute the same values.
  void Blocks(absl::string_view name, int64_t count, int64_t block, PrimRef from,
              const std::function<void(PrimRef)>& body) {
    if (count == block) return body(from);
    k_.s().For(absl::StrCat(name, "_block"), m_.Int((count + block - 1) / block), [&](PrimRef i) {
      PrimRef first = m_.Mul(i, m_.Int(block));
      if (count % block != 0) first = m_.Min(first, m_.Int(count - block));
      body(k_.s().Let(name, m_.Add(from, first)));
    });
  }

  // The start of the row in x: its first element or, when it is gathered, the corner of its window
  // in three indices.
  struct Corner {
    PrimRef n, y, x;
  };
  Corner CornerOf(PrimRef row) {
    const IntegerWindow& w = *p_.window;
    const PrimRef area = m_.Int(w.out_h * w.out_w), width = m_.Int(w.out_w);
    const PrimRef n = w.batch == 1 ? m_.Int(0) : m_.FloorDiv(row, area);
    const PrimRef place = w.batch == 1 ? row : m_.FloorMod(row, area);
    const PrimRef y = m_.Mul(m_.FloorDiv(place, width), m_.Int(w.stride_h));
    const PrimRef x = m_.Mul(m_.FloorMod(place, width), m_.Int(w.stride_w));
    return {n, m_.Sub(y, m_.Int(w.top)), m_.Sub(x, m_.Int(w.left))};
  }

  PrimRef PlaceIn(PrimRef n, PrimRef y, PrimRef x) {
    const IntegerWindow& w = *p_.window;
    const PrimRef line = m_.Add(m_.Mul(n, m_.Int(w.height)), y);
    return m_.Mul(m_.Add(m_.Mul(line, m_.Int(w.width)), x), m_.Int(w.channels));
  }

  PrimRef RowStart(PrimRef row) {
    if (gathers_) return row;
    if (!p_.window) return m_.Mul(row, m_.Int(p_.depth));
    const IntegerWindow& w = *p_.window;
    if (w.stride_h == 1 && w.stride_w == 1) return m_.Mul(row, m_.Int(w.channels));
    const Corner c = CornerOf(row);
    return k_.s().Let("start", PlaceIn(c.n, c.y, c.x));
  }

  void Gather(int64_t r, PrimRef row, PrimRef first_channel) {
    const IntegerWindow& w = *p_.window;
    Corner c = CornerOf(row);
    c.y = k_.s().Let("top", c.y);
    c.x = k_.s().Let("left", c.x);
    k_.s().For("ky", m_.Int(w.kernel_h), [&](PrimRef ky) {
      const PrimRef y = k_.s().Let("y", m_.Add(c.y, m_.Mul(ky, m_.Int(w.dilation_h))));
      GatherTaps(r, c.n, y, c.x, ky, first_channel);
    });
  }

  // One line of the window.
  void GatherTaps(int64_t r, PrimRef n, PrimRef y, PrimRef left, PrimRef ky,
                  PrimRef first_channel) {
    const IntegerWindow& w = *p_.window;
    const int64_t channels = w.channels / w.groups;
    k_.s().For("kx", m_.Int(w.kernel_w), [&](PrimRef kx) {
      const PrimRef x = k_.s().Let("x", m_.Add(left, m_.Mul(kx, m_.Int(w.dilation_w))));
      const PrimRef tap = m_.Add(m_.Mul(ky, m_.Int(w.kernel_w)), kx);
      const PrimRef to =
          k_.s().Let("to", m_.Add(m_.Int(r * p_.depth), m_.Mul(tap, m_.Int(channels))));
      const auto fill = [&](const std::function<PrimRef(PrimRef)>& value) {
        k_.s().For("c", m_.Int(channels),
                   [&](PrimRef i) { k_.s().Store(patch_, {m_.Add(to, i)}, value(i)); });
      };
      const auto copy = [&] {
        const PrimRef from = k_.s().Let("from", m_.Add(PlaceIn(n, y, x), first_channel));
        fill([&](PrimRef i) { return k_.At(x_, m_.Add(from, i)); });
      };
      if (!w.has_padding()) return copy();
      const PrimRef inside =
          k_.s().Let("inside", m_.And(m_.InRange(y, m_.Int(0), m_.Int(w.height)),
                                      m_.InRange(x, m_.Int(0), m_.Int(w.width))));
      k_.s().If(inside, copy);
      k_.s().If(m_.Not(inside), [&] {
        fill([&](PrimRef) { return m_.ir().Int(p_.x.affine.zero, patch_->dtype); });
      });
    });
  }

  void Group(PrimRef row, const std::vector<PrimRef>& starts, PrimRef g) {
    const int64_t channels = p_.depth / (p_.window ? p_.window->kernel_h * p_.window->kernel_w : 1);
    const PrimRef first_channel = m_.Mul(g, m_.Int(channels));
    std::vector<PrimRef> from;
    for (int64_t r = 0; r < row_block_; ++r) {
      if (gathers_) Gather(r, starts[static_cast<size_t>(r)], first_channel);
      from.push_back(gathers_ ? m_.Int(r * p_.depth)
                              : m_.Add(starts[static_cast<size_t>(r)], first_channel));
    }
    if (panels_) return Panels(row, from);
    Blocks("column", columns_, column_block_, m_.Mul(g, m_.Int(columns_)),
           [&](PrimRef column) { Dots(row, from, column); });
  }

  // A few panels at a time, to limit the number of sums.
  void Panels(PrimRef row, const std::vector<PrimRef>& from) {
    const int64_t whole = columns_ / kPanelColumns, rest = columns_ % kPanelColumns;
    if (whole > 0) {
      Blocks("column", whole * kPanelColumns, kPanelColumns, m_.Int(0),
             [&](PrimRef column) { Panels(row, from, column, kPanelColumns); });
    }
    if (rest > 0) Panels(row, from, m_.Int(whole * kPanelColumns), rest);
  }

  // All sums of the rows, in loops that schedule/int8/use_dot_products matches; then all results.
  void Panels(PrimRef row, const std::vector<PrimRef>& from, PrimRef column, int64_t columns) {
    const int64_t width = ir::kDotPanelColumns, panels = ir::DotPanels(columns);
    const BufferRef source = gathers_ ? patch_ : x_;
    const auto first = [&](int64_t r) { return m_.Int(r * panels * width); };
    const PrimRef weights =
        m_.Mul(column, m_.Int(ir::kDotPanelDepth * ir::DotPanelFours(p_.depth)));
    k_.s().For("c", m_.Int(columns), [&](PrimRef c) {
      for (int64_t r = 0; r < row_block_; ++r) {
        k_.s().Store(sums_, {m_.Add(first(r), c)}, k_.At(bias_, m_.Add(column, c)));
      }
    });
    k_.s().For("panel", m_.Int(panels), [&](PrimRef panel) {
      k_.s().For("k", m_.Int(p_.depth), [&](PrimRef k) {
        k_.s().For("lane", m_.Int(width), [&](PrimRef lane) {
          const PrimRef place = ir::DotPanelIndex(m_.ir(), panel, k, lane, p_.depth);
          const PrimRef weight = k_.At(weights_, m_.Add(weights, place));
          for (int64_t r = 0; r < row_block_; ++r) {
            const PrimRef at = m_.Add(m_.Add(first(r), m_.Mul(panel, m_.Int(width))), lane);
            const PrimRef value = k_.At(source, m_.Add(from[static_cast<size_t>(r)], k));
            const DType wide = DType::Int(32);
            const PrimRef product = m_.Mul(m_.Cast(value, wide), m_.Cast(weight, wide));
            k_.s().Store(sums_, {at}, m_.Add(k_.At(sums_, at), product));
          }
        });
      });
    });
    for (int64_t r = 0; r < row_block_; ++r) {
      k_.s().For("c", m_.Int(columns), [&](PrimRef c) {
        const PrimRef sum = k_.At(sums_, m_.Add(first(r), c));
        const PrimRef at = m_.Add(column, c);
        const PrimRef place = PlaceInResult(m_.Add(row, m_.Int(r)), at);
        k_.s().Store(out_, {place}, epilogue_->Of(k_, sum, at));
      });
    }
  }

  void Dots(PrimRef row, const std::vector<PrimRef>& from, PrimRef column) {
    std::vector<std::vector<BufferRef>> acc(static_cast<size_t>(row_block_));
    const auto column_at = [&](int64_t c) { return m_.Add(column, m_.Int(c)); };
    for (int64_t r = 0; r < row_block_; ++r) {
      for (int64_t c = 0; c < column_block_; ++c) {
        acc[static_cast<size_t>(r)].push_back(
            k_.Register(absl::StrCat("acc", r, c), DType::Int(32)));
        k_.s().Store(acc[static_cast<size_t>(r)].back(), {}, k_.At(bias_, column_at(c)));
      }
    }
    const BufferRef source = gathers_ ? patch_ : x_;
    const DType wide = DType::Int(32);
    k_.s().For("k", m_.Int(p_.depth), [&](PrimRef k) {
      std::vector<PrimRef> values, weights;
      for (int64_t r = 0; r < row_block_; ++r) {
        const PrimRef value = k_.At(source, m_.Add(from[static_cast<size_t>(r)], k));
        values.push_back(k_.s().Let(absl::StrCat("x", r), m_.Cast(value, wide)));
      }
      for (int64_t c = 0; c < column_block_; ++c) {
        const PrimRef place = m_.Add(m_.Mul(column_at(c), m_.Int(p_.depth)), k);
        weights.push_back(k_.s().Let(absl::StrCat("w", c), m_.Cast(k_.At(weights_, place), wide)));
      }
      for (size_t r = 0; r < values.size(); ++r) {
        for (size_t c = 0; c < weights.size(); ++c) {
          const BufferRef a = acc[r][c];
          k_.s().Store(a, {}, m_.Add(k_.Of(a), m_.Mul(values[r], weights[c])));
        }
      }
    });
    for (int64_t r = 0; r < row_block_; ++r) {
      for (int64_t c = 0; c < column_block_; ++c) {
        const PrimRef sum = k_.Of(acc[static_cast<size_t>(r)][static_cast<size_t>(c)]);
        const PrimRef place = PlaceInResult(m_.Add(row, m_.Int(r)), column_at(c));
        k_.s().Store(out_, {place}, epilogue_->Of(k_, sum, column_at(c)));
      }
    }
  }

  PrimRef PlaceInResult(PrimRef row, PrimRef column) {
    if (!p_.channels_first) return m_.Add(m_.Mul(row, m_.Int(p_.columns)), column);
    const PrimRef area = m_.Int(p_.window->out_h * p_.window->out_w);
    PrimRef image = m_.Int(0);
    if (p_.window->batch != 1) {
      image = m_.Mul(m_.FloorDiv(row, area), m_.Int(p_.columns));
      row = m_.FloorMod(row, area);
    }
    return m_.Add(m_.Mul(m_.Add(image, column), area), row);
  }

  const IntegerProduct& p_;
  KernelBuilder k_;
  ops::ScalarMath& m_;
  const bool panels_;
  int64_t groups_ = 1, columns_ = 1, row_block_ = 1, column_block_ = 1;
  bool gathers_ = false;
  BufferRef x_ = nullptr, weights_ = nullptr, bias_ = nullptr, out_ = nullptr, patch_ = nullptr,
            sums_ = nullptr;
  IntegerEpilogue* epilogue_ = nullptr;
};

}  // namespace

MaybeOperand EmitProductKernel(IntegerGraph& graph, const IntegerProduct& p, const RealOperator& op,
                               const RequiredResult& wanted, const StoredWeights& weights,
                               absl::FunctionRef<WriteProduct> write) {
  auto numbers = NumbersOf(p, op, wanted);
  if (!numbers) return std::nullopt;
  const DType dtype = weights.packed ? DType::Int(4) : numbers->weight_dtype;
  ir::PrimFunc func = write(dtype, numbers->epilogue, wanted.dtype());
  std::vector<ir::Operand> args = {p.x.data, graph.Constant(dtype, weights.dims, weights.values),
                                   graph.Constant(DType::Int(32), {p.columns}, numbers->bias)};
  numbers->epilogue.AddArgument(graph, args);
  return graph.Kernel(p.name, std::move(func), std::move(args), p.dims, wanted.dtype());
}

MaybeOperand EmitIntegerProduct(IntegerGraph& graph, const IntegerProduct& p,
                                const RealOperator& op, const RequiredResult& wanted) {
  if (graph.elements()) return EmitElementProduct(graph, p, op, wanted);
  if (graph.pairs()) {
    if (MaybeOperand made = EmitPairedProducts(graph, p, op, wanted)) return made;
  }
  if (graph.quads()) {
    if (MaybeOperand made = EmitQuadProducts(graph, p, op, wanted)) return made;
  }
  if (graph.helium()) {
    if (MaybeOperand made = EmitHeliumProducts(graph, p, op, wanted)) return made;
  }
  const DType small = DType::Int(8);
  const bool panels = graph.panels() && p.columns >= kMinPanelColumns &&
                      (!p.window || p.window->groups == 1) && p.x.affine.dtype == small &&
                      WeightDType(p.weights) == small;
  if (panels && HasRowForm(p, small, wanted)) return EmitIntegerRows(graph, p, op, wanted);
  const StoredWeights weights =
      panels ? StoredWeights{PanelDims(p), WeightsInPanels(p)}
             : StoredWeights{RowDims(p), {p.weights.begin(), p.weights.end()}, HasPackedWeights(p)};
  return EmitProductKernel(
      graph, p, op, wanted, weights,
      [&](DType weight_dtype, IntegerEpilogue& epilogue, DType dtype) {
        return ProductKernel(graph.ir(), p, panels).Write(weight_dtype, epilogue, dtype);
      });
}

}  // namespace lathe::transform
