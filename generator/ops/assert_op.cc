// Implements R.assert_op, which stops the program unless its condition is true.
#include "generator/ops/args/operands.h"
#include "generator/support/status.h"

namespace lathe::ops {

absl::StatusOr<ir::StructInfoRef> InferAssert(ir::InferContext& c, const ir::Call& call) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, 0));
  ir::StructInfoRef condition = c.InfoOf(call.args[0]);
  bool may_be_bool = condition->As<ir::ObjectInfo>() != nullptr;
  if (const auto* prim = condition->As<ir::PrimInfo>()) {
    may_be_bool = prim->dtype.is_bool() || prim->dtype.is_void();
  } else if (const auto* tensor = condition->As<ir::TensorInfo>()) {
    may_be_bool = (tensor->dtype.is_bool() || tensor->dtype.is_void()) && tensor->ndim <= 0;
  }
  if (!may_be_bool) {
    return c.Error("op-argument-kind") << DescribeArg(c, call, 0) << " must be a bool scalar";
  }
  return c.ir().Tuple({});
}

}  // namespace lathe::ops
