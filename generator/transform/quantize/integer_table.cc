#include "generator/transform/quantize/integer_table.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "generator/transform/kernel_builder.h"
#include "generator/transform/pointwise_ops.h"
#include "generator/transform/quantize/integer_elements.h"

namespace lathe::transform {

using ir::DType;
using ir::PrimRef;

namespace {

constexpr int kMaxDepth = 12;

int64_t LowestOf(DType dtype) { return dtype.is_int() ? -(int64_t{1} << (dtype.bits - 1)) : 0; }

// The only quantized tensor that `value` is computed from elementwise, with constant numbers as
// other operands.
class Source {
 public:
  explicit Source(IntegerGraph& graph) : graph_(graph) {}

  bool Find(const ir::Operand& value, int left) {
    const ir::Call* call = graph_.CallOf(value);
    if (call != nullptr && call->op()->name == "relax.dequantize") {
      if (const auto x = graph_.Dequantized(value)) {
        if (x_ && (x_->data.As<ir::ValueId>() == nullptr ||
                   *x_->data.As<ir::ValueId>() != *x->data.As<ir::ValueId>())) {
          return false;
        }
        x_ = x;
        given_.push_back(graph_.VariableOf(value));
        return true;
      }
    }
    if (value.As<ir::PrimValue>() != nullptr) return true;
    if (const auto constant = graph_.NumbersOf(value)) return constant->values.size() == 1;
    if (call == nullptr || left == 0) return false;
    if (!IsPointwise(call->op()->name)) return false;
    return std::all_of(call->args.begin(), call->args.end(),
                       [&](const ir::Operand& arg) { return Find(arg, left - 1); });
  }

  const std::optional<IntegerTensor>& x() const { return x_; }
  const std::vector<ir::ValueId>& given() const { return given_; }

 private:
  IntegerGraph& graph_;
  std::optional<IntegerTensor> x_;
  std::vector<ir::ValueId> given_;
};

}  // namespace

std::vector<double> AllValuesOf(const Affine& affine) {
  std::vector<double> values;
  if (affine.dtype.bits != 8) return values;
  for (int64_t i = 0; i < 256; ++i) {
    const auto offset = static_cast<float>(LowestOf(affine.dtype) + i - affine.zero);
    values.push_back(offset * static_cast<float>(affine.scale));
  }
  return values;
}

MaybeOperand EmitTable(IntegerGraph& graph, const IntegerTensor& x,
                       const std::vector<double>& results, const RealOperator& op,
                       const RequiredResult& wanted) {
  if (!wanted.affine || x.affine.dtype.bits != 8 || results.size() != 256) return std::nullopt;
  const IntegerResult range = RangeOf(op, *wanted.affine);
  std::vector<int64_t> table;
  for (double real : results) {
    if (std::isnan(real)) return std::nullopt;
    const auto value = static_cast<float>(std::min(std::max(real, op.lo), op.hi));
    const float q = std::nearbyint(value / static_cast<float>(wanted.affine->scale)) +
                    static_cast<float>(wanted.affine->zero);
    const float held =
        std::min(std::max(q, static_cast<float>(range.lo)), static_cast<float>(range.hi));
    table.push_back(static_cast<int64_t>(held));
  }
  const bool last = graph.IsChannelsLast(x.data);
  std::vector<int64_t> dims = x.dims;
  if (last) dims = {dims[0], dims[2], dims[3], dims[1]};
  int64_t count = 1;
  for (int64_t dim : dims) count *= dim;
  const int64_t lowest = LowestOf(x.affine.dtype);
  const auto place_of = [&](ops::ScalarMath& m, PrimRef value) {
    const DType wide = DType::Int(32);
    return m.Cast(m.Sub(m.Cast(value, wide), m.ir().Int(lowest, wide)), DType::Int(64));
  };
  const auto write = [&] {
    if (graph.elements()) {
      ElementKernel k(graph.ir(), {{"x", dims, x.affine.dtype}, {"table", {256}, wanted.dtype()}});
      return k.Finish("table", dims, wanted.dtype(), [&](ops::Statements&, const ops::Indices& at) {
        return k.At(1, {place_of(k.math(), k.At(0, at))});
      });
    }
    KernelBuilder k(graph.ir(), "table");
    const ir::BufferRef in = k.Input("x", dims, x.affine.dtype);
    const ir::BufferRef results_of = k.Input("table", {256}, wanted.affine->dtype);
    const ir::BufferRef out = k.Output(dims, wanted.affine->dtype);
    k.s().For("i", k.math().Int(count), [&](PrimRef i) {
      k.s().Store(out, {i}, k.At(results_of, place_of(k.math(), k.At(in, i))));
    });
    return k.Finish();
  };
  const ir::Operand made = graph.Kernel(
      "table", write(),
      {last ? graph.ChannelsLast(x) : x.data, graph.Constant(wanted.affine->dtype, {256}, table)},
      dims, wanted.affine->dtype);
  return last ? graph.FromChannelsLast(made, x.dims, wanted.affine->dtype) : made;
}

MaybeOperand Rescaled(IntegerGraph& graph, const IntegerTensor& x, const RealOperator& op,
                      const RequiredResult& wanted) {
  if (!wanted.affine) return std::nullopt;
  const IntegerResult narrow = RangeOf(op, *wanted.affine);
  const IntegerResult all = RangeOf(RealOperator(), *wanted.affine);
  if (x.affine == *wanted.affine && narrow.lo == all.lo && narrow.hi == all.hi) return x.data;
  return EmitTable(graph, x, AllValuesOf(x.affine), op, wanted);
}

MaybeOperand IntegerTable(IntegerGraph& graph, const RealOperator& op,
                          const RequiredResult& wanted) {
  if (!wanted.affine) return std::nullopt;
  if (const auto x = graph.Dequantized(op.value)) return Rescaled(graph, *x, op, wanted);
  Source source(graph);
  if (!source.Find(op.value, kMaxDepth) || !source.x()) return std::nullopt;
  const std::vector<double> values = AllValuesOf(source.x()->affine);
  if (values.empty() || source.x()->dims != wanted.dims) return std::nullopt;
  const auto tensor = graph.TensorOf(DType::Float(32), {256}, values);
  if (!tensor) return std::nullopt;
  IntegerGraph::KnownValues given;
  for (ir::ValueId id : source.given()) given.insert_or_assign(id, *tensor);
  const auto results = graph.Evaluate(op.value, given);
  if (!results || results->num_elements() != 256) return std::nullopt;
  return EmitTable(graph, *source.x(), IntegerGraph::RealsOf(*results), op, wanted);
}

}  // namespace lathe::transform
