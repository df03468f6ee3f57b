// Between tensors and the shapes that describe them.
#include <utility>

#include "generator/ops/operands.h"
#include "generator/support/status.h"

namespace lathe::ops {

using ir::Call;
using ir::DType;
using ir::InferContext;
using Result = absl::StatusOr<ir::StructInfoRef>;

Result InferShapeOf(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  if (x->dims() != nullptr) return c.ir().Shape(*x->dims());
  return c.ir().Shape(x->ndim);
}

Result InferSize(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  return c.ir().Tensor(std::vector<ir::PrimRef>{}, DType::Int(64), x->vdevice);
}

// The length of the tensor is the rank of the shape; its elements are known at run time only.
Result InferTensorToShape(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 0, *x, 1));
  LATHE_RETURN_IF_ERROR(NeedInteger(c, call, 0, *x));
  const int64_t* length = x->dims() == nullptr ? nullptr : AsInt(x->dims()->front());
  // A rank is a small number; a longer tensor cannot be a shape that anything takes.
  constexpr int64_t kMaxRank = 1 << 16;
  const bool known = length != nullptr && *length >= 0 && *length <= kMaxRank;
  return c.ir().Shape(known ? static_cast<int>(*length) : ir::kUnknownRank);
}

Result InferShapeToTensor(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::ShapeInfo* x, ShapeArg(c, call, 0));
  if (x->ndim == ir::kUnknownRank) return c.ir().Tensor(1, DType::Int(64));
  return c.ir().Tensor(std::vector<ir::PrimRef>{c.ir().Int(x->ndim)}, DType::Int(64));
}

}  // namespace lathe::ops
