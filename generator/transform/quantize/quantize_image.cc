#include "generator/transform/quantize/quantize_image.h"

#include "generator/transform/kernel_builder.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

namespace {

// Channels of a position that are unrolled: compilers transpose them in registers.
constexpr int64_t kFewChannels = 4;

}  // namespace

MaybeOperand QuantizeImage(IntegerGraph& graph, const IntegerTensor& x) {
  const DType real = DType::Float(32), small = DType::Int(8);
  const ir::Call* call = graph.panels() ? graph.CallOf(x.data) : nullptr;
  if (call == nullptr || call->op()->name != "relax.quantize" || x.affine.dtype != small ||
      graph.ElementTypeOf(call->args[0]) != real || x.dims.size() != 4) {
    return std::nullopt;
  }
  const auto affine = graph.AffineOf(*call, small);
  if (!affine) return std::nullopt;
  const int64_t images = x.dims[0], channels = x.dims[1], height = x.dims[2], width = x.dims[3];
  KernelBuilder k(graph.ir(), "quantize");
  ops::ScalarMath& m = k.math();
  const BufferRef in = k.Input("x", x.dims, real);
  const std::vector<int64_t> dims = {images, height, width, channels};
  const BufferRef out = k.Output(dims, small);
  // As the operator defines it; the clamped value is an integer.
  const auto quantised = [&](PrimRef at) {
    const PrimRef scaled = m.Call("nearbyint", {m.Div(k.At(in, at), m.Const(affine->scale, real))});
    const PrimRef moved =
        k.s().Let("moved", m.Add(scaled, m.Const(static_cast<double>(affine->zero), real)));
    const PrimRef raised = k.s().Let("raised", m.Max(moved, m.Const(-128, real)));
    const PrimRef held = m.Min(raised, m.Const(127, real));
    return m.Cast(held, small);
  };
  if (channels == 1) {
    k.s().For("i", m.Int(images * height * width),
              [&](PrimRef i) { k.s().Store(out, {i}, quantised(i)); });
    return graph.Kernel("quantize", k.Finish(), {call->args[0]}, dims, small);
  }
  const BufferRef line = k.Scratch("line", channels * width, small);
  k.s().For("y", m.Int(images * height), [&](PrimRef y) {
    const PrimRef n = images == 1 ? m.Int(0) : m.FloorDiv(y, m.Int(height));
    const PrimRef row = images == 1 ? y : m.FloorMod(y, m.Int(height));
    k.s().For("c", m.Int(channels), [&](PrimRef c) {
      const PrimRef plane = m.Add(m.Mul(n, m.Int(channels)), c);
      const PrimRef from = m.Mul(m.Add(m.Mul(plane, m.Int(height)), row), m.Int(width));
      k.s().For("i", m.Int(width), [&](PrimRef i) {
        k.s().Store(line, {m.Add(m.Mul(c, m.Int(width)), i)}, quantised(m.Add(from, i)));
      });
    });
    k.s().For("i", m.Int(width), [&](PrimRef i) {
      const PrimRef to = m.Mul(m.Add(m.Mul(y, m.Int(width)), i), m.Int(channels));
      const auto iteration = [&](PrimRef c) {
        k.s().Store(out, {m.Add(to, c)}, k.At(line, m.Add(m.Mul(c, m.Int(width)), i)));
      };
      if (channels > kFewChannels) return k.s().For("c", m.Int(channels), iteration);
      for (int64_t c = 0; c < channels; ++c) iteration(m.Int(c));
    });
  });
  return graph.Kernel("quantize", k.Finish(), {call->args[0]}, dims, small);
}

}  // namespace lathe::transform
