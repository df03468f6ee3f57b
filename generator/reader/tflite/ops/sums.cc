#include "generator/reader/tflite/ops/sums.h"

#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/reader/tflite/ops/quantized.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

bool IsFloat(int type) { return type == kFloat32; }
bool IsByte(int type) { return type == kInt8 || type == kUInt8; }
bool IsWeight(int type) {
  return type == kInt8 || type == kUInt8 || type == kInt4 || type == kInt2;
}

// True if sums of int16 data are int64. The type of the bias decides, or an option without a bias.
bool HasWideSums(OpCall& c) {
  if (c.op() != "CONV_2D" && c.op() != "FULLY_CONNECTED") return true;
  if (c.Has(2)) return c.In(2).type != kInt32;
  return c.Int("bias_type") != kInt32;
}

// int32 sums as integers of output 0: sum * factor, rounded once, halves up.
Operand SumsRoundedOnce(OpCall& c, const Operand& sums, double factor, const IntegerRange& range) {
  const ops::FixedFactor by = ops::FixedFactorOf(factor);
  const int64_t zero = c.OutAffine().zero;
  constexpr int kMantissaBits = 31;
  const int down = kMantissaBits - by.shift;
  return c.Elementwise(
      "requantize", {sums},
      [&](ScalarMath& m, const Scalars& v) {
        const PrimRef product = m.Mul(m.Cast(v[0], kWide), m.Int(by.mantissa));
        const PrimRef lifted = m.Add(product, m.Int(int64_t{1} << (down - 1)));
        const PrimRef scaled = m.Cast(m.Binary(ir::BinaryOp::kShr, lifted, m.Int(down)), kWhole);
        const PrimRef clipped =
            ops::ClippedTo(m, scaled, range.low - zero, range.high - zero, kWhole);
        return m.Cast(m.Add(clipped, m.ir().Int(zero, kWhole)), c.OutType());
      },
      c.OutType());
}

}  // namespace

absl::StatusOr<SumForm> SumFormOf(OpCall& c, int weight_axis, int64_t columns,
                                  const SumInputs& inputs) {
  const Tensor &data = c.In(inputs.data), &weight = c.In(inputs.weight);
  SumForm form;
  const bool integers = (IsByte(data.type) || data.type == kInt16) && IsWeight(weight.type) &&
                        c.Out().type == data.type &&
                        (data.type == kUInt8) == (weight.type == kUInt8);
  const bool hybrid = IsFloat(data.type) && IsWeight(weight.type) && IsFloat(c.Out().type);
  if (IsFloat(data.type) && IsFloat(weight.type) && IsFloat(c.Out().type)) return form;
  if (!integers && !hybrid) {
    return c.Unsupported()
           << c.op() << " of " << TypeName(data.type) << " data, " << TypeName(weight.type)
           << " weights and a " << TypeName(c.Out().type)
           << " result; supported are float32, int8 with int8, int4 or int2 "
              "weights, uint8, int16 with int8 weights, and float32 with integer weights";
  }
  form.kind = hybrid ? SumKind::kHybrid : SumKind::kInteger;
  const Quantization& q = weight.quantization;
  if (!q.is_quantized() ||
      (!hybrid && !(data.quantization.is_quantized() && c.Out().quantization.is_quantized()))) {
    return c.Error() << "a tensor of integers has no scale";
  }
  if (q.per_axis() && (q.axis != weight_axis || std::ssize(q.scales) != columns)) {
    return c.Error() << "the weights have " << q.scales.size() << " scales along axis " << q.axis
                     << "; one per output channel belongs to axis " << weight_axis;
  }
  form.scales.assign(q.scales.begin(), q.scales.end());
  form.zero = c.InAffine(inputs.data).zero;
  if (data.type == kUInt8) form.weight_zero = c.InAffine(inputs.weight).zero;
  form.float_factors = data.type == kUInt8;
  form.dtype = DType::Int(32);
  if (data.type == kInt16) {
    form.zero = 0;
    if (HasWideSums(c)) form.dtype = DType::Int(64);
  }
  return form;
}

Operand WithBias(OpCall& c, const Operand& sums, int i) {
  if (!c.Has(i)) return sums;
  return c.Op("relax.add", {sums, c.Cast(c.Arg(i), c.TypeOf(sums))});
}

absl::StatusOr<Results> FinishSums(OpCall& c, const SumForm& form, const Operand& sums, int bias,
                                   int axis, int64_t activation, int data) {
  const std::vector<int64_t> shape = c.Shape(sums);
  LATHE_RETURN_IF_ERROR(c.status());
  if (c.Has(bias)) {
    const DType dtype = c.TypeOf(c.Arg(bias));
    const std::vector<int64_t> columns = {shape[static_cast<size_t>(axis)]};
    if (!dtype.is_int() || dtype.bits < 16 || c.In(bias).shape != columns) {
      return c.Error() << "the bias must have " << columns[0] << " integers";
    }
  }
  const double in = c.InAffine(data).scale, out = c.OutAffine().scale;
  if (!(in > 0) || !(out > 0)) return c.Error() << "a scale is not positive";
  std::vector<double> factors;
  for (const double scale : form.scales) {
    factors.push_back((form.float_factors ? FloatProduct(in, scale) : in * scale) / out);
    constexpr double kLargest = 1 << 14;  // what sums of int64 can be multiplied by
    if (!(factors.back() < kLargest)) {
      return c.Unsupported() << "sums that are multiplied by " << factors.back()
                             << "; factors below " << kLargest << " are supported";
    }
  }
  const IntegerRange range = ActivationRange(c, c.Out(), activation);
  const Operand all = WithBias(c, sums, bias);
  if (form.rounded_once) return SumsRoundedOnce(c, all, factors[0], range);
  return RequantizedSums(c, all, factors, axis, range);
}

}  // namespace lathe::tflite
