#include "generator/interp/eval_memory_op.h"

#include <algorithm>

#include "generator/interp/data/tensor_ops.h"
#include "generator/interp/eval_value_op.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

// The first dtype among the arguments.
absl::StatusOr<ir::DType> DTypeArg(const OpCall& call) {
  for (const Value& arg : call.args) {
    if (const auto* dtype = arg.As<ir::DType>()) return *dtype;
  }
  return call.Error() << "it needs a dtype";
}

absl::StatusOr<Value> Made(const OpCall& call, absl::StatusOr<TensorRef> tensor) {
  if (!tensor.ok()) return call.rt.Report(tensor.status(), "run-bad-allocation", call.loc);
  return Value(*std::move(tensor));
}

}  // namespace

absl::StatusOr<Value> EvalAllocTensor(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t>* shape, ShapeArg(call, 0));
  LATHE_ASSIGN_OR_RETURN(const ir::DType dtype, DTypeArg(call));
  return Made(call, NewTensor(dtype, *shape, call.rt.budget));
}

absl::StatusOr<Value> EvalAllocStorage(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t>* size, ShapeArg(call, 0));
  LATHE_ASSIGN_OR_RETURN(const ir::DType dtype, DTypeArg(call));
  const absl::StatusOr<uint64_t> count = ElementsToHold(*size, *call.rt.budget);
  if (absl::IsResourceExhausted(count.status())) {
    return call.rt.Report(count.status(), "run-bad-allocation", call.loc);
  }
  if (!count.ok()) return call.Error() << ShapeToString(*size) << " is not a size";
  // A size of one dimension is in bytes; a shape counts elements.
  const uint64_t bytes = size->size() == 1 ? *count : ir::StorageBytes(dtype, *count);
  auto storage = Storage::Allocate(bytes, call.rt.budget);
  if (!storage.ok()) return call.rt.Report(storage.status(), "run-bad-allocation", call.loc);
  return Value(Value::Node(*std::move(storage)));
}

absl::StatusOr<Value> EvalAllocTensorFrom(const OpCall& call) {
  const auto* storage = call.args.empty() ? nullptr : call.args[0].As<std::shared_ptr<Storage>>();
  if (storage == nullptr) return call.Error() << "argument 1 must be a storage";
  LATHE_ASSIGN_OR_RETURN(const int64_t offset, IntArg(call, 1));
  LATHE_ASSIGN_OR_RETURN(const std::vector<int64_t>* shape, ShapeArg(call, 2));
  LATHE_ASSIGN_OR_RETURN(const ir::DType dtype, DTypeArg(call));
  const Tensor whole{*storage, 0, ir::DType::UInt(8), {static_cast<int64_t>((*storage)->size())}};
  return Made(call, ViewTensor(whole, *shape, dtype, static_cast<uint64_t>(offset)));
}

absl::StatusOr<Value> EvalView(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* tensor, TensorArg(call, 0));
  std::vector<int64_t> shape = tensor->shape;
  ir::DType dtype = tensor->dtype;
  uint64_t offset = 0;
  // An omitted argument is an empty tuple.
  for (size_t n = 1; n < call.args.size(); ++n) {
    if (const auto* dims = call.args[n].AsShape()) shape = *dims;
    if (const auto* given = call.args[n].As<ir::DType>()) dtype = *given;
    if (const Scalar* given = call.args[n].AsScalar()) offset = given->bits;
  }
  return Made(call, ViewTensor(*tensor, std::move(shape), dtype, offset));
}

absl::StatusOr<Value> EvalEnsureZeroOffset(const OpCall& call) {
  LATHE_ASSIGN_OR_RETURN(const Tensor* tensor, TensorArg(call, 0));
  if (tensor->byte_offset == 0) return call.args[0];
  return Made(call, CopyTensor(*tensor, call.rt.budget, tensor->device));
}

}  // namespace lathe::interp
