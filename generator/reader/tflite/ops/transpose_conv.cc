// Imports transposed convolutions. Each element of the result is a sum over the positions of the
// data that the window spreads to it, in the order in which TFLM adds them.
#include <functional>
#include <utility>

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/hybrid.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/reader/tflite/ops/sums.h"
#include "generator/reader/tflite/ops/windows.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

constexpr SumInputs kSpreadInputs = {2, 1, 3};

struct SpreadForm {
  std::vector<WindowAxis> axes;  // of the convolution from the result to the data
  Dims out;
  int64_t channels = 0, channels_out = 0;
  int64_t zero = 0, weight_zero = 0;
  // The weight of a channel of the result, a tap and a channel of the data.
  std::function<Indices(PrimRef out, const Indices& taps, PrimRef in)> weight;
};

Operand SpreadSums(OpCall& c, const SpreadForm& form, const Operand& data, const Operand& weight,
                   DType dtype) {
  Dims over;
  for (const WindowAxis& axis : form.axes) over.push_back(c.ir().Int(axis.kernel));
  over.push_back(c.ir().Int(form.channels));
  return c.Kernel("conv_transpose", {data, weight}, [&](Te& te) {
    ScalarMath& m = te.math();
    const auto number = [&](PrimRef q, int64_t zero) {
      const PrimRef wide = m.Cast(q, dtype);
      return zero == 0 ? wide : m.Sub(wide, m.Const(static_cast<double>(zero), dtype));
    };
    return te.Reduce(
        "sums", form.out, over, te.Sum(dtype), [&](const Indices& at, const Indices& r) {
          PrimRef inside = m.ir().Bool(true);
          Indices from = {at[0]}, taps;
          for (size_t i = 0; i < form.axes.size(); ++i) {
            const WindowAxis& axis = form.axes[i];
            // Taps from the last: earlier positions of the data come first.
            taps.push_back(m.Sub(m.Int(axis.kernel - 1), r[i]));
            const PrimRef spread =
                m.Sub(m.Add(at[i + 1], m.Int(axis.before)), m.Mul(taps[i], m.Int(axis.dilation)));
            if (axis.stride > 1) {
              const PrimRef rest = m.FloorMod(spread, m.Int(axis.stride));
              inside = m.And(inside, m.Eq(rest, m.Int(0)));
            }
            from.push_back(m.FloorDiv(spread, m.Int(axis.stride)));
            inside = m.And(inside, m.InRange(from.back(), m.Int(0), m.Int(axis.out)));
          }
          from.push_back(r.back());
          const PrimRef weight = te.At(te.Input(1), form.weight(at.back(), taps, r.back()));
          const PrimRef product =
              m.Mul(number(te.At(te.Input(0), from), form.zero), number(weight, form.weight_zero));
          return m.IfThenElse(inside, product, m.Const(0, dtype));
        });
  });
}

// Fills in the axes from the data, input 2, and the declared result.
absl::Status ReadAxes(OpCall& c, SpreadForm& form) {
  const std::vector<int64_t>&data = c.In(2).shape, &out = c.Out().shape;
  const size_t rank = form.axes.size() + 2;
  if (data.size() != rank || out.size() != rank || c.In(1).shape.size() != rank) {
    return c.Error() << "data, weights and result must have " << rank << " dimensions";
  }
  for (size_t i = 0; i < form.axes.size(); ++i) {
    WindowAxis& axis = form.axes[i];
    axis.in = out[i + 1];
    LATHE_RETURN_IF_ERROR(PadWindow(c, c.Int("padding"), axis));
    axis.out = data[i + 1];  // positions beyond those of the convolution are cut off
  }
  form.out = c.OutDims();
  form.channels = data.back();
  form.channels_out = out.back();
  if (data[0] != out[0]) return c.Error() << "data and result have different batches";
  return absl::OkStatus();
}

}  // namespace

// Weights are [O, H, W, I].
absl::StatusOr<Results> ImportTransposeConv(OpCall& c) {
  SpreadForm form;
  const std::vector<int64_t>& weight = c.In(1).shape;
  if (weight.size() != 4) return c.Error() << "weights must have 4 dimensions";
  form.axes = {{0, weight[1], c.Int("stride_h")}, {0, weight[2], c.Int("stride_w")}};
  LATHE_RETURN_IF_ERROR(ReadAxes(c, form));
  if (weight[0] != form.channels_out || weight[3] != form.channels) {
    return c.Error() << "weights are for " << weight[3] << " channels of the data and " << weight[0]
                     << " of the result";
  }
  form.weight = [](PrimRef out, const Indices& taps, PrimRef in) {
    return Indices{out, taps[0], taps[1], in};
  };
  LATHE_ASSIGN_OR_RETURN(const SumForm sums, SumFormOf(c, 0, form.channels_out, kSpreadInputs));
  const int64_t activation = c.Int("activation");
  if (sums.kind == SumKind::kFloat) {
    return FloatActivation(c, WithBias(c, SpreadSums(c, form, c.Arg(2), c.Arg(1), kReal), 3),
                           activation);
  }
  if (sums.kind == SumKind::kHybrid) {
    // LiteRT adds up scaled products, which differs in the last bits.
    HybridForm how = {/*asymmetric=*/true, /*sum_first=*/true};
    how.bias = 3;
    LATHE_ASSIGN_OR_RETURN(
        const Results made,
        HybridSums(c, sums, c.Arg(2), how, [&](const Operand& x, const Operand& weight) {
          return SpreadSums(c, form, x, weight, kWhole);
        }));
    return FloatActivation(c, made.operands[0], activation);
  }
  form.zero = sums.zero;
  form.weight_zero = sums.weight_zero;
  return FinishSums(c, sums, SpreadSums(c, form, c.Arg(2), c.Arg(1), sums.dtype), 3, 3, activation,
                    2);
}

// Weights are [D, H, W, O, I].
absl::StatusOr<Results> ImportConv3dTranspose(OpCall& c) {
  SpreadForm form;
  const std::vector<int64_t>& weight = c.In(1).shape;
  if (weight.size() != 5) return c.Error() << "weights must have 5 dimensions";
  if (c.TypeOf(c.Arg(2)) != kReal || c.TypeOf(c.Arg(1)) != kReal) {
    return c.Unsupported() << "CONV_3D_TRANSPOSE of " << TypeName(c.In(2).type)
                           << "; float32 is supported";
  }
  form.axes = {{0, weight[0], c.Int("stride_d"), c.Int("dilation_d")},
               {0, weight[1], c.Int("stride_h"), c.Int("dilation_h")},
               {0, weight[2], c.Int("stride_w"), c.Int("dilation_w")}};
  LATHE_RETURN_IF_ERROR(ReadAxes(c, form));
  if (weight[3] != form.channels_out || weight[4] != form.channels) {
    return c.Error() << "weights are for " << weight[4] << " channels of the data and " << weight[3]
                     << " of the result";
  }
  form.weight = [](PrimRef out, const Indices& taps, PrimRef in) {
    return Indices{taps[0], taps[1], taps[2], out, in};
  };
  return FloatActivation(c, WithBias(c, SpreadSums(c, form, c.Arg(2), c.Arg(1), kReal), 3),
                         c.Int("activation"));
}

}  // namespace lathe::tflite
