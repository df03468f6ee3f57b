// Checks and reads the arguments of calls in inference, with one message for each kind of error.
//
//   LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
#ifndef LATHE_OPS_ARGS_OPERANDS_H_
#define LATHE_OPS_ARGS_OPERANDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// "R.nn.softmax".
std::string SurfaceName(const ir::Call& call);

// Returns the name of the parameter of argument `i`, 'x1', or "argument 7" for variadic arguments.
std::string ArgName(const ir::Call& call, int i);

// Returns the argument in messages: "'x1' of R.add (lv: R.Tensor((2,), dtype="float32"))".
std::string DescribeArg(const ir::InferContext& c, const ir::Call& call, int i);

// Returns `info` as text for messages, with variable names.
std::string Show(const ir::InferContext& c, ir::StructInfoRef info);

// Fails unless the call has at least `i` + 1 arguments; the typed readers below check it.
absl::Status NeedArg(ir::InferContext& c, const ir::Call& call, int i);

// Returns the info of the argument; fails when it has another kind.
absl::StatusOr<const ir::TensorInfo*> TensorArg(ir::InferContext& c, const ir::Call& call, int i);
absl::StatusOr<const ir::ShapeInfo*> ShapeArg(ir::InferContext& c, const ir::Call& call, int i);
// Returns the infos of the fields of a tuple, which must all be tensors.
absl::StatusOr<std::vector<const ir::TensorInfo*>> TensorTupleArg(ir::InferContext& c,
                                                                  const ir::Call& call, int i);
// Returns the infos of all arguments of the call, which must be tensors. There is one per parameter
// of the operator, except omitted optional ones.
absl::StatusOr<std::vector<const ir::TensorInfo*>> TensorArgs(ir::InferContext& c,
                                                              const ir::Call& call);

// Returns the value of a scalar; null when only its dtype is known.
absl::StatusOr<ir::PrimRef> PrimArg(ir::InferContext& c, const ir::Call& call, int i);
// Returns the values of a tuple of scalars or of a shape; null for unknown values.
absl::StatusOr<std::vector<ir::PrimRef>> PrimTupleArg(ir::InferContext& c, const ir::Call& call,
                                                      int i);
// Returns a literal dtype or string.
absl::StatusOr<ir::DType> DTypeArg(ir::InferContext& c, const ir::Call& call, int i);
absl::StatusOr<std::string> StringArg(ir::InferContext& c, const ir::Call& call, int i);

// Returns the value of the scalar argument `i`, for computation. Fails if the program does not
// specify it.
absl::StatusOr<ir::PrimRef> PrimValueOf(ir::ComputeContext& c, const ir::Call& call, int i);

// Checks that the rank of `x` is `rank` or unknown.
absl::Status NeedRank(ir::InferContext& c, const ir::Call& call, int i, const ir::TensorInfo& x,
                      int rank);
// Checks that sizes `a` of argument `i` and `b` of argument `j` may be equal. `what` names them in
// messages.
absl::Status NeedSame(ir::InferContext& c, const ir::Call& call, int i, int j, ir::PrimRef a,
                      ir::PrimRef b, absl::string_view what);
absl::Status NeedFloat(ir::InferContext& c, const ir::Call& call, int i, const ir::TensorInfo& x);
absl::Status NeedInteger(ir::InferContext& c, const ir::Call& call, int i, const ir::TensorInfo& x);

// Returns the dimensions of `x`, also when its shape is a variable with known values; null when
// unknown.
const std::vector<ir::PrimRef>* DimsOf(const ir::InferContext& c, const ir::TensorInfo& x);

// Returns `x` with another dtype and the same shape, rank and device.
ir::StructInfoRef WithDType(ir::Context& context, const ir::TensorInfo& x, ir::DType dtype);
// Returns a tensor of `shape` when it is known, else of rank `ndim`.
ir::StructInfoRef TensorOf(ir::Context& context, const ir::TensorInfo::ShapeOrVar& shape, int ndim,
                           ir::DType dtype, ir::VDeviceRef vdevice);

// Returns a tensor whose shape is argument `i`: its values when they are known, else the variable.
// Fails for negative dimensions.
absl::StatusOr<ir::StructInfoRef> TensorOfShapeArg(ir::InferContext& c, const ir::Call& call, int i,
                                                   ir::DType dtype, ir::VDeviceRef vdevice);

// Returns the value of `e` when it is an integer constant, else null.
const int64_t* AsInt(ir::PrimRef e);
bool IsOne(ir::PrimRef e);
// Returns the product of `dims`; 1 when empty.
ir::PrimRef Product(ir::InferContext& c, const std::vector<ir::PrimRef>& dims);

}  // namespace lathe::ops

#endif  // LATHE_OPS_ARGS_OPERANDS_H_
