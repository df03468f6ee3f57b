#include "generator/transform/quantize/integer_elements.h"

#include <utility>

#include "generator/support/check.h"
#include "generator/transform/legalize.h"
#include "generator/transform/quantize/product_numbers.h"

namespace lathe::transform {

using ir::BufferRef;
using ir::DType;
using ir::PrimRef;
using ops::Indices;

namespace {

ops::Te Begin(ir::Context& context, const std::vector<ElementInput>& inputs) {
  std::vector<ops::Te::NamedInfo> infos;
  for (const ElementInput& input : inputs) {
    std::vector<PrimRef> shape;
    for (int64_t dim : input.dims) shape.push_back(context.Int(dim));
    infos.push_back({input.name, context.Tensor(std::move(shape), input.dtype)});
  }
  absl::StatusOr<ops::Te> te = ops::Te::Of(context, infos);
  LATHE_CHECK(te.ok(), "tensors of known sizes");
  return *std::move(te);
}

PrimRef ColumnOf(const IntegerProduct& p, const Indices& at) {
  return p.channels_first ? at[1] : at.back();
}

// The sums, without their initial values.
class ProductElements {
 public:
  ProductElements(ir::Context& context, const IntegerProduct& p,
                  const std::vector<ElementInput>& inputs)
      : p_(p), k_(context, inputs), m_(k_.math()) {}

  ir::PrimFunc Write() {
    const DType wide = DType::Int(32);
    const BufferRef sums =
        k_.te().Reduce("sum", k_.Dims(p_.dims), Depth(), k_.te().Sum(wide),
                       [&](const Indices& at, const Indices& r) {
                         return m_.Mul(m_.Cast(Left(at, r), wide), m_.Cast(Weight(at, r), wide));
                       });
    return k_.Finish(p_.name, sums);
  }

 private:
  ops::Dims Depth() {
    if (!p_.window) return k_.Dims({p_.depth});
    const IntegerWindow& w = *p_.window;
    if (IsDepthwise(p_)) return k_.Dims({w.kernel_h, w.kernel_w});
    return k_.Dims({w.kernel_h, w.kernel_w, w.channels / w.groups});
  }

  PrimRef Column(const Indices& at) const { return ColumnOf(p_, at); }

  PrimRef Weight(const Indices& at, const Indices& r) {
    Indices indices = {Column(at)};
    indices.insert(IsDepthwise(p_) ? indices.begin() : indices.end(), r.begin(), r.end());
    return k_.At(1, std::move(indices));
  }

  PrimRef Left(const Indices& at, const Indices& r) {
    if (p_.window) return InWindow(at, r);
    Indices indices(at.begin(), at.end() - 1);
    indices.push_back(r[0]);
    return Moved(k_.At(0, std::move(indices)));
  }

  PrimRef InWindow(const Indices& at, const Indices& r) {
    const IntegerWindow& w = *p_.window;
    const size_t first = p_.channels_first ? 2 : 1;
    const auto place = [&](PrimRef out, PrimRef tap, int64_t stride, int64_t dilation,
                           int64_t before) {
      return m_.Sub(m_.Add(m_.Mul(out, m_.Int(stride)), m_.Mul(tap, m_.Int(dilation))),
                    m_.Int(before));
    };
    const PrimRef y = place(at[first], r[0], w.stride_h, w.dilation_h, w.top);
    const PrimRef x = place(at[first + 1], r[1], w.stride_w, w.dilation_w, w.left);
    const PrimRef value = Moved(k_.At(0, {at[0], y, x, Channel(at, r)}));
    PrimRef inside = nullptr;
    const auto need = [&](PrimRef index, int64_t extent, bool leaves) {
      if (!leaves) return;
      const PrimRef in = m_.InRange(index, m_.Int(0), m_.Int(extent));
      inside = inside == nullptr ? in : m_.And(inside, in);
    };
    need(y, w.height, w.top + w.bottom > 0);
    need(x, w.width, w.left + w.right > 0);
    if (inside == nullptr) return value;
    return m_.IfThenElse(inside, value, m_.ir().Int(p_.x.affine.zero - p_.moved, value->dtype()));
  }

  PrimRef Channel(const Indices& at, const Indices& r) {
    const IntegerWindow& w = *p_.window;
    if (IsDepthwise(p_)) return Column(at);
    if (w.groups == 1) return r[2];
    const PrimRef group = m_.FloorDiv(Column(at), m_.Int(p_.columns / w.groups));
    return m_.Add(m_.Mul(group, m_.Int(w.channels / w.groups)), r[2]);
  }

  PrimRef Moved(PrimRef x) {
    if (p_.moved == 0) return x;
    const DType wide = DType::Int(32);
    return m_.Cast(m_.Sub(m_.Cast(x, wide), m_.ir().Int(p_.moved, wide)), DType::Int(8));
  }

  const IntegerProduct& p_;
  ElementKernel k_;
  ops::ScalarMath& m_;
};

// The weights of each column are consecutive; for depthwise products, the columns of a position.
StoredWeights InOrder(const IntegerProduct& p) {
  const std::vector<int64_t> window =
      p.window ? std::vector<int64_t>{p.window->kernel_h, p.window->kernel_w}
               : std::vector<int64_t>();
  StoredWeights stored;
  if (IsDepthwise(p)) {
    stored.dims = {window[0], window[1], p.columns};
    for (int64_t k = 0; k < p.depth; ++k) {
      for (int64_t c = 0; c < p.columns; ++c) {
        stored.values.push_back(p.weights[static_cast<size_t>(c * p.depth + k)]);
      }
    }
    return stored;
  }
  stored.dims = {p.columns};
  stored.dims.insert(stored.dims.end(), window.begin(), window.end());
  stored.dims.push_back(p.window ? p.window->channels / p.window->groups : p.depth);
  stored.values.assign(p.weights.begin(), p.weights.end());
  return stored;
}

}  // namespace

ElementKernel::ElementKernel(ir::Context& context, const std::vector<ElementInput>& inputs)
    : te_(Begin(context, inputs)) {}

ops::Dims ElementKernel::Dims(const std::vector<int64_t>& dims) {
  ops::Dims made;
  for (int64_t dim : dims) made.push_back(math().Int(dim));
  return made;
}

ir::PrimFunc ElementKernel::Finish(absl::string_view op_name, const std::vector<int64_t>& dims,
                                   DType dtype, const Element& element) {
  const BufferRef out = te_.Allocate("out", Dims(dims), dtype);
  te_.Run(op_name, out->shape,
          [&](ops::Statements& s, const Indices& at) { s.Store(out, at, element(s, at)); });
  return Finish(op_name, out);
}

ir::PrimFunc ElementKernel::Finish(absl::string_view op_name, BufferRef out) {
  ir::PrimFunc func = te_.Finish({out});
  func.attrs[kOperatorName] = ir::AttrValue(std::string(op_name));
  return func;
}

MaybeOperand EmitElementProduct(IntegerGraph& graph, IntegerProduct p, const RealOperator& op,
                                const RequiredResult& wanted) {
  // Tensor cores multiply int8 by int8.
  if (p.x.affine.dtype == DType::UInt(8)) p.moved = 128;
  auto numbers = NumbersOf(p, op, wanted);
  if (!numbers) return std::nullopt;
  const StoredWeights weights = InOrder(p);
  const DType wide = DType::Int(32);
  ProductElements product(
      graph.ir(), p,
      {{"x", p.x.dims, p.x.affine.dtype}, {"weights", weights.dims, numbers->weight_dtype}});
  const ir::Operand sums =
      graph.Kernel(p.name, product.Write(),
                   {p.x.data, graph.Constant(numbers->weight_dtype, weights.dims, weights.values)},
                   p.dims, wide);
  if (!numbers->epilogue.rounds_once()) return std::nullopt;
  const auto factors = numbers->epilogue.parameter();
  std::vector<ElementInput> inputs = {{"sum", p.dims, wide}, {"bias", {p.columns}, wide}};
  if (factors) inputs.push_back({factors->name, {factors->columns}, factors->dtype});
  ElementKernel k(graph.ir(), inputs);
  const char* name = wanted.affine ? "requantize" : "dequantize";
  ir::PrimFunc func =
      k.Finish(name, p.dims, wanted.dtype(), [&](ops::Statements& s, const Indices& at) {
        const PrimRef column = ColumnOf(p, at);
        const PrimRef sum = k.math().Add(k.At(0, at), k.At(1, {column}));
        return numbers->epilogue.Of(s, k.math(), sum, factors ? k.At(2, {column}) : nullptr);
      });
  std::vector<ir::Operand> args = {sums, graph.Constant(wide, {p.columns}, numbers->bias)};
  numbers->epilogue.AddArgument(graph, args);
  return graph.Kernel(name, std::move(func), std::move(args), p.dims, wanted.dtype());
}

}  // namespace lathe::transform
