// What inference asks of a call's arguments, with one message for each way they can be wrong.
//
//   LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
#ifndef LATHE_OPS_OPERANDS_H_
#define LATHE_OPS_OPERANDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/op.h"

namespace lathe::ops {

// "R.nn.softmax".
std::string SurfaceName(const ir::Call& call);

// The parameter that takes argument `i`, or "argument 7" for one of a variadic's: 'x1'.
std::string ArgName(const ir::Call& call, int i);

// "'x1' of R.add (lv: R.Tensor((2,), dtype="float32"))": how messages name an argument.
std::string DescribeArg(const ir::InferContext& c, const ir::Call& call, int i);

// `info` for messages: with the names of the variables in it.
std::string Show(const ir::InferContext& c, ir::StructInfoRef info);

// An error unless the call has at least `i` + 1 arguments; the typed readers below check it.
absl::Status NeedArg(ir::InferContext& c, const ir::Call& call, int i);

// The argument's info, which must be of that kind.
absl::StatusOr<const ir::TensorInfo*> TensorArg(ir::InferContext& c, const ir::Call& call, int i);
absl::StatusOr<const ir::ShapeInfo*> ShapeArg(ir::InferContext& c, const ir::Call& call, int i);
// A tuple whose fields are all tensors.
absl::StatusOr<std::vector<const ir::TensorInfo*>> TensorTupleArg(ir::InferContext& c,
                                                                  const ir::Call& call, int i);
// All arguments of the call, tensors, as many as the operator has parameters for them.
absl::StatusOr<std::vector<const ir::TensorInfo*>> TensorArgs(ir::InferContext& c,
                                                              const ir::Call& call);

// A scalar: its value, or null when only its dtype is known.
absl::StatusOr<ir::PrimRef> PrimArg(ir::InferContext& c, const ir::Call& call, int i);
// A tuple of scalars, or a shape; null for those whose value is not known.
absl::StatusOr<std::vector<ir::PrimRef>> PrimTupleArg(ir::InferContext& c, const ir::Call& call,
                                                      int i);
// A literal dtype or string.
absl::StatusOr<ir::DType> DTypeArg(ir::InferContext& c, const ir::Call& call, int i);
absl::StatusOr<std::string> StringArg(ir::InferContext& c, const ir::Call& call, int i);

// For computation: the value of the scalar argument `i`, as far as the program says it.
absl::StatusOr<ir::PrimRef> PrimValueOf(ir::ComputeContext& c, const ir::Call& call, int i);

// The rank of `x` must be `rank`, as far as it is known.
absl::Status NeedRank(ir::InferContext& c, const ir::Call& call, int i, const ir::TensorInfo& x,
                      int rank);
// Sizes `a` of argument `i` and `b` of argument `j` must be equal; `what` they are, for messages.
absl::Status NeedSame(ir::InferContext& c, const ir::Call& call, int i, int j, ir::PrimRef a,
                      ir::PrimRef b, absl::string_view what);
absl::Status NeedFloat(ir::InferContext& c, const ir::Call& call, int i, const ir::TensorInfo& x);
absl::Status NeedInteger(ir::InferContext& c, const ir::Call& call, int i, const ir::TensorInfo& x);

// The dimensions of `x`, also when its shape is a variable whose values are known; null when not.
const std::vector<ir::PrimRef>* DimsOf(const ir::InferContext& c, const ir::TensorInfo& x);

// `x` with another dtype: shape, rank and device stay.
ir::StructInfoRef WithDType(ir::Context& context, const ir::TensorInfo& x, ir::DType dtype);
// A tensor of `dims` where they are known, else of the rank.
ir::StructInfoRef TensorOf(ir::Context& context, const ir::TensorInfo::ShapeOrVar& shape, int ndim,
                           ir::DType dtype, ir::VDeviceRef vdevice);

// A tensor whose shape is argument `i`: written out when its values are known, else the variable.
absl::StatusOr<ir::StructInfoRef> TensorOfShapeArg(ir::InferContext& c, const ir::Call& call, int i,
                                                   ir::DType dtype, ir::VDeviceRef vdevice);

// The constant that `e` is, if it is one.
const int64_t* AsInt(ir::PrimRef e);
bool IsOne(ir::PrimRef e);
// The product of `dims`; 1 of none.
ir::PrimRef Product(ir::InferContext& c, const std::vector<ir::PrimRef>& dims);

}  // namespace lathe::ops

#endif  // LATHE_OPS_OPERANDS_H_
