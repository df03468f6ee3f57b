#include "generator/transform/quantize/integer_depthwise.h"

#include <utility>

#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/copy_lines.h"
#include "generator/transform/quantize/integer_elements.h"
#include "generator/transform/quantize/integer_epilogue.h"
#include "generator/transform/quantize/integer_helium.h"
#include "generator/transform/quantize/integer_pairs.h"
#include "generator/transform/quantize/integer_quads.h"
#include "generator/transform/quantize/packed_weights.h"
#include "generator/transform/quantize/window_rows.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

namespace {

// Windows of at most this many positions are unrolled, so that compilers optimize all of a channel
// at once.
constexpr int64_t kMaxUnrolled = 25;

class DepthwiseKernel {
 public:
  DepthwiseKernel(ir::Context& context, const IntegerProduct& p)
      : p_(p), w_(*p.window), k_(context, p.name), m_(k_.math()) {}

  ir::PrimFunc Write(DType weight_dtype, IntegerEpilogue& epilogue, DType out_dtype) {
    x_ = k_.Input("x", p_.x.dims, p_.x.affine.dtype);
    weights_ = k_.Input("weights", {p_.depth, p_.columns}, weight_dtype);
    bias_ = k_.Input("bias", {p_.columns}, DType::Int(32));
    epilogue.Declare(k_);
    out_ = k_.Output(p_.dims, out_dtype);
    if (w_.has_padding()) {
      lines_ = LinesOf(k_, p_);
    }
    k_.s().For("line", m_.Int(w_.batch * w_.out_h), [&](PrimRef line) {
      const PrimRef n = w_.batch == 1 ? m_.Int(0) : m_.FloorDiv(line, m_.Int(w_.out_h));
      const PrimRef row = w_.batch == 1 ? line : m_.FloorMod(line, m_.Int(w_.out_h));
      const PrimRef top = m_.Sub(m_.Mul(row, m_.Int(w_.stride_h)), m_.Int(w_.top));
      if (lines_ != nullptr) CopyLines(k_, p_, x_, lines_, n, k_.s().Let("top", top));
      const PrimRef first = lines_ != nullptr ? m_.Int(0)
                                              : m_.Mul(m_.Add(m_.Mul(n, m_.Int(w_.height)), top),
                                                       m_.Int(w_.width * w_.channels));
      k_.s().For("column", m_.Int(w_.out_w), [&](PrimRef column) {
        const PrimRef from =
            k_.s().Let("from", m_.Add(first, m_.Mul(column, m_.Int(w_.stride_w * w_.channels))));
        const PrimRef to = k_.s().Let(
            "to", m_.Mul(m_.Add(m_.Mul(line, m_.Int(w_.out_w)), column), m_.Int(w_.channels)));
        Channels(from, to, epilogue);
      });
    });
    return k_.Finish();
  }

 private:
  void Channels(PrimRef from, PrimRef to, const IntegerEpilogue& epilogue) {
    const BufferRef source = lines_ != nullptr ? lines_ : x_;
    const int64_t down = PitchOfLines(w_);
    const DType wide = DType::Int(32);
    k_.s().For("c", m_.Int(w_.channels), [&](PrimRef c) {
      const BufferRef acc = k_.Register("acc", wide);
      const auto product = [&](PrimRef ky, PrimRef kx) {
        const PrimRef place =
            m_.Add(m_.Mul(ky, m_.Int(down)), m_.Mul(kx, m_.Int(w_.dilation_w * w_.channels)));
        const PrimRef at = m_.Add(m_.Add(from, place), c);
        const PrimRef tap = m_.Add(m_.Mul(ky, m_.Int(w_.kernel_w)), kx);
        const PrimRef weight = m_.Add(m_.Mul(tap, m_.Int(w_.channels)), c);
        k_.s().Store(acc, {},
                     m_.Add(k_.Of(acc), m_.Mul(m_.Cast(k_.At(source, at), wide),
                                               m_.Cast(k_.At(weights_, weight), wide))));
      };
      k_.s().Store(acc, {}, k_.At(bias_, c));
      if (w_.kernel_h * w_.kernel_w <= kMaxUnrolled) {
        for (int64_t ky = 0; ky < w_.kernel_h; ++ky) {
          for (int64_t kx = 0; kx < w_.kernel_w; ++kx) product(m_.Int(ky), m_.Int(kx));
        }
      } else {
        k_.s().For("ky", m_.Int(w_.kernel_h), [&](PrimRef ky) {
          k_.s().For("kx", m_.Int(w_.kernel_w), [&](PrimRef kx) { product(ky, kx); });
        });
      }
      k_.s().Store(out_, {m_.Add(to, c)}, epilogue.Of(k_, k_.Of(acc), c));
    });
  }

  const IntegerProduct& p_;
  const IntegerWindow& w_;
  KernelBuilder k_;
  ops::ScalarMath& m_;
  BufferRef x_ = nullptr, weights_ = nullptr, bias_ = nullptr, out_ = nullptr, lines_ = nullptr;
};

}  // namespace

MaybeOperand EmitIntegerDepthwise(IntegerGraph& graph, const IntegerProduct& p,
                                  const RealOperator& op, const RequiredResult& wanted) {
  if (graph.elements()) return EmitElementProduct(graph, p, op, wanted);
  // Pairs of columns have depthwise weights of 16 bits, quads of 8 or 4.
  const bool small = graph.has_small_depthwise() || HasPackedWindows(p);
  if (graph.pairs() && !small) {
    if (MaybeOperand made = EmitPairedDepthwise(graph, p, op, wanted)) return made;
  }
  if (graph.quads() || (graph.pairs() && small)) {
    if (MaybeOperand made = EmitQuadDepthwise(graph, p, op, wanted)) return made;
  }
  if (graph.helium()) {
    if (MaybeOperand made = EmitHeliumDepthwise(graph, p, op, wanted)) return made;
  }
  // The weights of a window position are consecutive.
  StoredWeights places = {{p.depth, p.columns}, {}, HasPackedWeights(p)};
  for (int64_t k = 0; k < p.depth; ++k) {
    for (int64_t c = 0; c < p.columns; ++c) {
      places.values.push_back(p.weights[static_cast<size_t>(c * p.depth + k)]);
    }
  }
  return EmitProductKernel(
      graph, p, op, wanted, places,
      [&](DType weight_dtype, IntegerEpilogue& epilogue, DType dtype) {
        return DepthwiseKernel(graph.ir(), p).Write(weight_dtype, epilogue, dtype);
      });
}

}  // namespace lathe::transform
