// Implements R.nn.prelu, with one slope for negative values per channel, or one for all.
#include "generator/ops/args/attributes.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/te.h"
#include "generator/support/status.h"

namespace lathe::ops {

Result InferPrelu(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* alpha, TensorArg(c, call, 1));
  LATHE_RETURN_IF_ERROR(NeedFloat(c, call, 0, *x));
  LATHE_ASSIGN_OR_RETURN(const int64_t written, NeedInt(c, call, "axis"));
  LATHE_RETURN_IF_ERROR(NeedRank(c, call, 1, *alpha, 1));
  if (x->ndim == ir::kUnknownRank) return c.InfoOf(call.args[0]);
  // A vector has only one axis, whatever the default is.
  const bool vector = x->ndim == 1 && written == 1;
  LATHE_ASSIGN_OR_RETURN(const int axis,
                         NormalAxis(c, call, "axis", vector ? 0 : written, x->ndim));
  if (x->dims() != nullptr && alpha->dims() != nullptr) {
    PrimRef channels = (*x->dims())[axis], slopes = alpha->dims()->front();
    if (!c.CanEqualOrBeOne(slopes, channels)) {
      return c.Error("op-argument-shape")
             << DescribeArg(c, call, 1)
             << " must have one element for each channel: " << ToString(channels) << ", got "
             << ToString(slopes);
    }
  }
  return c.InfoOf(call.args[0]);
}

absl::StatusOr<ir::PrimFunc> ComputePrelu(ir::ComputeContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(Te te, Te::Begin(c, call));
  ScalarMath& m = te.math();
  ir::BufferRef x = te.Input(0);
  const int ndim = static_cast<int>(x->shape.size());
  const int64_t written = IntAttr(call, "axis");
  const int axis = ndim == 1 && written == 1 ? 0 : FromFront(written, ndim);
  return te.Finish({te.Compute("out", x->shape, x->dtype, [&](const Indices& at) {
    const PrimRef value = te.At(x, at);
    const PrimRef slope = te.AtBroadcast(te.Input(1), {at[axis]}, {x->shape[axis]});
    return m.Select(m.Lt(m.Const(0, x->dtype), value), value, m.Mul(value, slope));
  })});
}

}  // namespace lathe::ops
