// Implements the conversions between tensors and shapes.
#include <utility>

#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {

Result InferShapeOf(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  if (x->dims() != nullptr) return c.ir().Shape(*x->dims());
  return c.ir().Shape(x->ndim);
}

Result InferSize(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  return c.ir().Tensor(std::vector<ir::PrimRef>{}, DType::Int(64), x->vdevice);
}

// The length of the tensor is the rank of the shape; its elements are only known at run time.
Result InferTensorToShape(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, 1));
  LATHE_RETURN_IF_ERROR(NeedInteger(c, call, 0, *x));
  const int64_t* length = x->dims() == nullptr ? nullptr : AsInt(x->dims()->front());
  // Bounds the rank of the shape.
  constexpr int64_t kMaxRank = 1 << 16;
  const bool known = length != nullptr && *length >= 0 && *length <= kMaxRank;
  return c.ir().Shape(known ? static_cast<int>(*length) : ir::kUnknownRank);
}

Result InferShapeToTensor(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::ShapeInfo* x, ShapeArg(c, call, 0));
  if (x->ndim == ir::kUnknownRank) return c.ir().Tensor(1, DType::Int(64));
  return c.ir().Tensor(std::vector<ir::PrimRef>{c.ir().Int(x->ndim)}, DType::Int(64));
}

absl::StatusOr<ir::PrimFunc> ComputeSize(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::PrimRef size = m.Int(1);
  for (ir::PrimRef dim : te.Input(0)->shape) size = m.Mul(size, dim);
  return te.Finish({te.Compute("size", {}, DType::Int(64), [&](const Indices&) { return size; })});
}

// Selects each dimension, a constant or an expression of shape variables, by its index.
absl::StatusOr<ir::PrimFunc> ComputeShapeToTensor(ir::ComputeContext& c, const Call& call) {
  const auto* shape = c.InfoOf(call.args[0])->As<ir::ShapeInfo>();
  if (shape == nullptr || !shape->values.has_value()) {
    return absl::UnimplementedError("a shape whose dimensions are not known cannot be computed");
  }
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  const std::vector<ir::PrimRef>& dims = *shape->values;
  return te.Finish({te.Compute("dims", te.result_dims(), DType::Int(64), [&](const Indices& at) {
    ir::PrimRef value = m.Int(0);
    for (size_t i = dims.size(); i-- > 0;) {
      value = m.Select(m.Eq(at[0], m.Int(static_cast<int64_t>(i))), dims[i], value);
    }
    return value;
  })});
}

}  // namespace lathe::ops
