// Emits pooling of quantized images.
#include <utility>

#include "generator/ops/args/attributes.h"
#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/integer_elements.h"
#include "generator/transform/quantize/integer_epilogue.h"
#include "generator/transform/quantize/integer_operator.h"
#include "generator/transform/quantize/integer_table.h"

namespace lathe::transform {
namespace {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

struct Window {
  int64_t height = 1, width = 1;
  int64_t stride_h = 1, stride_w = 1;
  int64_t dilation_h = 1, dilation_w = 1;
};

std::vector<int64_t> Last(const std::vector<int64_t>& dims) {
  return {dims[0], dims[2], dims[3], dims[1]};
}

// The same as below as elementwise kernels, for GPUs: sums, then their conversion.
ir::Operand EmitElementwiseAverage(IntegerGraph& graph, const IntegerTensor& x, const Window& w,
                                   const std::vector<int64_t>& to, const IntegerEpilogue& epilogue,
                                   DType dtype) {
  const DType wide = DType::Int(32);
  ElementKernel sum(graph.ir(), {{"x", Last(x.dims), x.affine.dtype}});
  ops::ScalarMath& m = sum.math();
  const auto place = [&](PrimRef out, PrimRef in, int64_t stride, int64_t dilation) {
    return m.Add(m.Mul(out, m.Int(stride)), m.Mul(in, m.Int(dilation)));
  };
  const BufferRef sums = sum.te().Reduce(
      "sum", sum.Dims(to), sum.Dims({w.height, w.width}), sum.te().Sum(wide),
      [&](const ops::Indices& at, const ops::Indices& r) {
        return m.Cast(sum.At(0, {at[0], place(at[1], r[0], w.stride_h, w.dilation_h),
                                 place(at[2], r[1], w.stride_w, w.dilation_w), at[3]}),
                      wide);
      });
  const ir::Operand summed =
      graph.Kernel("avg_pool2d", sum.Finish("avg_pool2d", sums), {graph.ChannelsLast(x)}, to, wide);
  ElementKernel k(graph.ir(), {{"sum", to, wide}});
  const PrimRef start = k.te().ir().Int(-x.affine.zero * w.height * w.width, wide);
  ir::PrimFunc func =
      k.Finish("requantize", to, dtype, [&](ops::Statements& s, const ops::Indices& at) {
        return epilogue.Of(s, k.math(), k.math().Add(k.At(0, at), start), nullptr);
      });
  return graph.Kernel("requantize", std::move(func), {summed}, to, dtype);
}

// The mean over windows without padding: sums minus the zero points, times a factor.
MaybeOperand EmitAverage(IntegerGraph& graph, const IntegerTensor& x, const Window& w,
                         const std::vector<int64_t>& out_dims, const RealOperator& op,
                         const RequiredResult& wanted) {
  const int64_t count = w.height * w.width;
  // Sums of 16-bit elements fit as well.
  if (count > int64_t{1} << 14) return std::nullopt;
  const int64_t bound = count << (x.affine.dtype.bits + 1);
  auto epilogue =
      IntegerEpilogue::Make({x.affine.scale / static_cast<double>(count)}, {bound}, op, wanted);
  if (!epilogue) return std::nullopt;
  const std::vector<int64_t> from = Last(x.dims), to = Last(out_dims);
  if (graph.elements()) {
    const ir::Operand made = EmitElementwiseAverage(graph, x, w, to, *epilogue, wanted.dtype());
    return graph.FromChannelsLast(made, out_dims, wanted.dtype());
  }
  const int64_t channels = from[3];
  KernelBuilder k(graph.ir(), "avg_pool2d");
  ops::ScalarMath& m = k.math();
  const BufferRef in = k.Input("x", from, x.affine.dtype);
  epilogue->Declare(k);
  const BufferRef out = k.Output(to, wanted.dtype());
  // Adjacent channels together, for targets with vectors.
  const BufferRef sums = graph.panels() ? k.Scratch("sums", channels, DType::Int(32)) : nullptr;
  const auto line_of = [&](PrimRef n, PrimRef y, PrimRef column, const std::vector<int64_t>& dims) {
    const PrimRef line = m.Add(m.Mul(n, m.Int(dims[1])), y);
    return m.Mul(m.Add(m.Mul(line, m.Int(dims[2])), column), m.Int(channels));
  };
  k.s().For("n", m.Int(from[0]), [&](PrimRef n) {
    k.s().For("y", m.Int(to[1]), [&](PrimRef y) {
      k.s().For("x", m.Int(to[2]), [&](PrimRef column) {
        const PrimRef corner = k.s().Let("from", line_of(n, m.Mul(y, m.Int(w.stride_h)),
                                                         m.Mul(column, m.Int(w.stride_w)), from));
        const PrimRef place = k.s().Let("to", line_of(n, y, column, to));
        const PrimRef start = m.ir().Int(-x.affine.zero * count, DType::Int(32));
        const auto in_window = [&](const std::function<void(PrimRef)>& body) {
          k.s().For("ky", m.Int(w.height), [&](PrimRef ky) {
            k.s().For("kx", m.Int(w.width), [&](PrimRef kx) {
              body(m.Add(corner, line_of(m.Int(0), m.Mul(ky, m.Int(w.dilation_h)),
                                         m.Mul(kx, m.Int(w.dilation_w)), from)));
            });
          });
        };
        const auto in_channels = [&](const std::function<void(PrimRef)>& body) {
          k.s().For("c", m.Int(channels), body);
        };
        const auto element = [&](PrimRef at) { return m.Cast(k.At(in, at), DType::Int(32)); };
        if (sums != nullptr) {
          in_channels([&](PrimRef c) { k.s().Store(sums, {c}, start); });
          in_window([&](PrimRef at) {
            in_channels([&](PrimRef c) {
              k.s().Store(sums, {c}, m.Add(k.At(sums, c), element(m.Add(at, c))));
            });
          });
          in_channels([&](PrimRef c) {
            k.s().Store(out, {m.Add(place, c)}, epilogue->Of(k, k.At(sums, c), c));
          });
          return;
        }
        in_channels([&](PrimRef c) {
          const BufferRef acc = k.Register("acc", DType::Int(32));
          k.s().Store(acc, {}, start);
          in_window(
              [&](PrimRef at) { k.s().Store(acc, {}, m.Add(k.Of(acc), element(m.Add(at, c)))); });
          k.s().Store(out, {m.Add(place, c)}, epilogue->Of(k, k.Of(acc), c));
        });
      });
    });
  });
  std::vector<ir::Operand> args = {graph.ChannelsLast(x)};
  const ir::Operand made =
      graph.Kernel("avg_pool2d", k.Finish(), std::move(args), to, wanted.dtype());
  return graph.FromChannelsLast(made, out_dims, wanted.dtype());
}

bool IsPadded(const ir::Call& call) {
  for (int64_t pad : ops::IntsAttr(call, "padding")) {
    if (pad != 0) return true;
  }
  return false;
}

}  // namespace

MaybeOperand IntegerAveragePool(IntegerGraph& graph, const RealOperator& op,
                                const RequiredResult& wanted) {
  const ir::Call& call = *op.core;
  if (!wanted.affine || IsPadded(call) || ops::FindBool(call, "ceil_mode")) return std::nullopt;
  if (ops::FindString(call, "layout") != "NCHW") return std::nullopt;
  const auto x = graph.Dequantized(call.args[0]);
  if (!x || x->dims.size() != 4) return std::nullopt;
  const auto size = ops::IntsAttr(call, "pool_size"), strides = ops::IntsAttr(call, "strides"),
             dilation = ops::IntsAttr(call, "dilation");
  return EmitAverage(graph, *x,
                     {size[0], size[1], strides[0], strides[1], dilation[0], dilation[1]},
                     wanted.dims, op, wanted);
}

// A mean over height and width is a pool with a window as large as the image.
MaybeOperand IntegerMean(IntegerGraph& graph, const RealOperator& op,
                         const RequiredResult& wanted) {
  const auto x = wanted.affine ? graph.Dequantized(op.core->args[0]) : std::nullopt;
  auto axes = ops::FindInts(*op.core, "axis");
  if (!x || x->dims.size() != 4 || !axes || axes->size() != 2) return std::nullopt;
  if (!ops::FindBool(*op.core, "keepdims")) return std::nullopt;
  for (int64_t& axis : *axes) axis = ops::FromFront(axis, 4);
  if ((*axes)[0] + (*axes)[1] != 5 || (*axes)[0] * (*axes)[1] != 6) return std::nullopt;
  return EmitAverage(graph, *x, {x->dims[2], x->dims[3]}, wanted.dims, op, wanted);
}

// The greatest integer represents the greatest number, so the maximum of the integers suffices.
MaybeOperand IntegerMaxPool(IntegerGraph& graph, const RealOperator& op,
                            const RequiredResult& wanted) {
  const ir::Call& call = *op.core;
  if (!wanted.affine || ops::FindString(call, "layout") != "NCHW" ||
      ops::FindString(call, "out_layout") != "NCHW") {
    return std::nullopt;
  }
  const auto x = graph.Dequantized(call.args[0]);
  if (!x || x->dims.size() != 4) return std::nullopt;
  ir::AttrMap attrs = call.attrs;
  attrs["layout"] = attrs["out_layout"] = "NHWC";
  const ir::Operand made = graph.Op("relax.nn.max_pool2d", {graph.ChannelsLast(*x)},
                                    std::move(attrs), Last(wanted.dims), x->affine.dtype);
  return Rescaled(
      graph, {graph.FromChannelsLast(made, wanted.dims, x->affine.dtype), wanted.dims, x->affine},
      op, wanted);
}

}  // namespace lathe::transform
