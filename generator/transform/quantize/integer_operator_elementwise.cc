// Emits sums and products of two quantized tensors, and concatenations.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "generator/ops/args/attributes.h"
#include "generator/transform/kernel_builder.h"
#include "generator/transform/quantize/integer_elements.h"
#include "generator/transform/quantize/integer_operator.h"
#include "generator/transform/quantize/integer_table.h"

namespace lathe::transform {
namespace {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;

// Two operands of equal shape, or one operand and a constant number.
struct Pair {
  std::vector<IntegerTensor> x;  // one or two inputs of the kernel
  std::vector<int64_t> dims;     // of each, and of the result
  bool last = false;             // channels are innermost
  // If the other operand is a number: its argument index and value.
  size_t number_at = 2;
  double number = 0;
};

std::optional<Pair> PairOf(IntegerGraph& graph, const RealOperator& op,
                           const RequiredResult& wanted) {
  Pair pair;
  for (size_t i = 0; i < 2; ++i) {
    if (auto x = graph.Dequantized(op.core->args[i])) {
      if (x->dims != wanted.dims || x->affine.dtype.bits != 8) return std::nullopt;
      pair.x.push_back(*std::move(x));
      continue;
    }
    const auto constant = graph.NumbersOf(op.core->args[i]);
    if (!constant || constant->values.size() != 1 || pair.number_at < 2) return std::nullopt;
    pair.number_at = i;
    pair.number = constant->values[0];
  }
  if (pair.x.empty()) return std::nullopt;
  pair.last = std::any_of(pair.x.begin(), pair.x.end(),
                          [&](const IntegerTensor& x) { return graph.IsChannelsLast(x.data); });
  pair.dims = wanted.dims;
  if (pair.last) {
    pair.dims = {wanted.dims[0], wanted.dims[2], wanted.dims[3], wanted.dims[1]};
    for (IntegerTensor& x : pair.x) x.data = graph.ChannelsLast(x);
  }
  return pair;
}

using Element =
    std::function<PrimRef(ops::Statements&, ops::ScalarMath&, const std::vector<PrimRef>&)>;

// The same as an elementwise kernel, for GPUs.
ir::Operand EmitElementwisePair(IntegerGraph& graph, const Pair& pair, absl::string_view name,
                                const RequiredResult& wanted, const Element& element) {
  std::vector<ElementInput> inputs;
  std::vector<ir::Operand> args;
  for (const IntegerTensor& x : pair.x) {
    inputs.push_back({inputs.empty() ? "a" : "b", pair.dims, x.affine.dtype});
    args.push_back(x.data);
  }
  ElementKernel k(graph.ir(), inputs);
  ir::PrimFunc func =
      k.Finish(name, pair.dims, wanted.dtype(), [&](ops::Statements& s, const ops::Indices& at) {
        std::vector<PrimRef> values;
        for (int i = 0; i < static_cast<int>(inputs.size()); ++i) {
          values.push_back(k.math().Cast(k.At(i, at), DType::Int(32)));
        }
        return element(s, k.math(), values);
      });
  const ir::Operand made =
      graph.Kernel(name, std::move(func), std::move(args), pair.dims, wanted.dtype());
  return pair.last ? graph.FromChannelsLast(made, wanted.dims, wanted.dtype()) : made;
}

// A kernel over all elements, each computed in int32.
ir::Operand EmitPair(IntegerGraph& graph, const Pair& pair, absl::string_view name,
                     const RequiredResult& wanted, const Element& element) {
  if (graph.elements()) return EmitElementwisePair(graph, pair, name, wanted, element);
  KernelBuilder k(graph.ir(), name);
  ops::ScalarMath& m = k.math();
  std::vector<BufferRef> in;
  std::vector<ir::Operand> args;
  for (const IntegerTensor& x : pair.x) {
    in.push_back(k.Input(in.empty() ? "a" : "b", pair.dims, x.affine.dtype));
    args.push_back(x.data);
  }
  const BufferRef out = k.Output(pair.dims, wanted.dtype());
  int64_t count = 1;
  for (int64_t dim : pair.dims) count *= dim;
  k.s().For("i", m.Int(count), [&](PrimRef i) {
    std::vector<PrimRef> values;
    for (BufferRef x : in) values.push_back(m.Cast(k.At(x, i), DType::Int(32)));
    k.s().Store(out, {i}, element(k.s(), m, values));
  });
  const ir::Operand made =
      graph.Kernel(name, k.Finish(), std::move(args), pair.dims, wanted.dtype());
  return pair.last ? graph.FromChannelsLast(made, wanted.dims, wanted.dtype()) : made;
}

PrimRef Int32(ops::ScalarMath& m, int64_t value) { return m.ir().Int(value, DType::Int(32)); }

}  // namespace

// y = (a * first + b * second + rest) >> shift, in 32 bits. The integers are small, so the
// multipliers use the remaining bits.
MaybeOperand IntegerSum(IntegerGraph& graph, const RealOperator& op, const RequiredResult& wanted) {
  if (!wanted.affine) return std::nullopt;
  const auto pair = PairOf(graph, op, wanted);
  if (!pair) return std::nullopt;
  const bool minus = op.core->op()->name == "relax.subtract";
  std::vector<double> factors;
  double constant = static_cast<double>(wanted.affine->zero);
  for (size_t i = 0, next = 0; i < 2; ++i) {
    const double sign = minus && i == 1 ? -1 : 1;
    if (i == pair->number_at) {
      constant += sign * pair->number / wanted.affine->scale;
      continue;
    }
    const Affine& affine = pair->x[next++].affine;
    factors.push_back(sign * affine.scale / wanted.affine->scale);
    constant -= factors.back() * static_cast<double>(affine.zero);
  }
  double most = std::abs(constant) + 1;
  for (double f : factors) most += 256 * std::abs(f);
  // Each multiplier has an error of at most half a unit, multiplied by at most 255.
  constexpr int kLeastShift = 12;
  int exponent = 0;
  (void)std::frexp(most, &exponent);
  const int shift = std::min(30 - exponent, 24);
  if (!std::isfinite(most) || shift < kLeastShift) return std::nullopt;
  const IntegerResult range = RangeOf(op, *wanted.affine);
  const int64_t rest = std::llround(std::ldexp(constant, shift)) + (int64_t{1} << (shift - 1));
  return EmitPair(graph, *pair, minus ? "subtract" : "add", wanted,
                  [&](ops::Statements& s, ops::ScalarMath& m, const std::vector<PrimRef>& x) {
                    PrimRef sum = Int32(m, rest);
                    for (size_t i = 0; i < x.size(); ++i) {
                      const int64_t by = std::llround(std::ldexp(factors[i], shift));
                      sum = m.Add(m.Mul(x[i], Int32(m, by)), sum);
                    }
                    return Clamped(s, m, ShiftedDown(m, sum, shift), range);
                  });
}

MaybeOperand IntegerMultiply(IntegerGraph& graph, const RealOperator& op,
                             const RequiredResult& wanted) {
  if (!wanted.affine) return std::nullopt;
  // Multiplication by a number is a lookup table.
  const auto pair = PairOf(graph, op, wanted);
  if (!pair || pair->x.size() != 2) return IntegerTable(graph, op, wanted);
  const IntegerResult range = RangeOf(op, *wanted.affine);
  const double factor = pair->x[0].affine.scale * pair->x[1].affine.scale / wanted.affine->scale;
  const auto fixed = FixedPointOf({factor}, {int64_t{1} << 18}, range);
  if (!fixed) return std::nullopt;
  return EmitPair(graph, *pair, "multiply", wanted,
                  [&](ops::Statements& s, ops::ScalarMath& m, const std::vector<PrimRef>& x) {
                    const PrimRef product = m.Mul(m.Sub(x[0], Int32(m, pair->x[0].affine.zero)),
                                                  m.Sub(x[1], Int32(m, pair->x[1].affine.zero)));
                    return Requantized(s, m, product, Int32(m, fixed->multipliers[0]), fixed->shift,
                                       range);
                  });
}

MaybeOperand IntegerConcat(IntegerGraph& graph, const RealOperator& op,
                           const RequiredResult& wanted) {
  const auto* fields = op.core->args[0].As<ir::TupleExpr>();
  const auto axis = ops::FindInt(*op.core, "axis");
  if (!wanted.affine || fields == nullptr || !axis) return std::nullopt;
  std::vector<IntegerTensor> parts;
  for (const ir::Operand& field : fields->fields) {
    auto x = graph.Dequantized(field);
    if (!x) return std::nullopt;
    parts.push_back(*std::move(x));
  }
  const int rank = static_cast<int>(wanted.dims.size());
  int along = ops::FromFront(*axis, rank);
  std::vector<int64_t> dims = wanted.dims;
  bool last = rank == 4;
  ir::TupleExpr tuple;
  for (IntegerTensor& part : parts) {
    const MaybeOperand scaled = Rescaled(graph, part, op, {part.dims, wanted.affine});
    if (!scaled) return std::nullopt;
    part.data = *scaled;
    last = last && graph.IsChannelsLast(part.data);
  }
  for (const IntegerTensor& part : parts) {
    tuple.fields.push_back(last ? graph.ChannelsLast(part) : part.data);
  }
  if (last) {
    constexpr int kPlaces[] = {0, 3, 1, 2};
    along = kPlaces[along];
    dims = {dims[0], dims[2], dims[3], dims[1]};
  }
  const ir::Operand made = graph.Op("relax.concat", {ir::Operand{std::move(tuple)}},
                                    {{"axis", along}}, dims, wanted.dtype());
  return last ? graph.FromChannelsLast(made, wanted.dims, wanted.dtype()) : made;
}

}  // namespace lathe::transform
