// Implements the inspect operators, which read a tensor's descriptor as scalars.
#include <string>

#include "absl/strings/match.h"
#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {

// tensor_dtype_code, _bits, _lanes, tensor_ndim: small numbers.
Result InferInspectSmall(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  const absl::string_view name = call.op()->name;
  if (absl::EndsWith(name, "_code")) return c.ir().Prim(DType::UInt(8));
  if (absl::EndsWith(name, "_bits")) {
    const bool known = !x->dtype.is_void();
    const DType dtype = DType::UInt(8);
    return c.ir().Prim(dtype, known ? c.ir().Int(x->dtype.bits, dtype) : nullptr);
  }
  if (absl::EndsWith(name, "_lanes")) {
    const DType dtype = DType::UInt(16);
    return c.ir().Prim(dtype, x->dtype.is_void() ? nullptr : c.ir().Int(1, dtype));
  }
  const DType dtype = DType::Int(32);
  return c.ir().Prim(dtype, x->ndim < 0 ? nullptr : c.ir().Int(x->ndim, dtype));
}

// tensor_shape_i, tensor_stride_i: of one axis; the byte and element offsets.
Result InferInspectLarge(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const ir::TensorInfo* x, TensorArg(c, call, 0));
  const bool of_axis = call.op()->params.size() > 1;
  ir::PrimRef value = nullptr;
  if (of_axis) {
    LATHE_ASSIGN_OR_RETURN(ir::PrimRef axis, PrimArg(c, call, 1));
    const int64_t* known = AsInt(axis);
    if (known != nullptr && (*known < 0 || (x->ndim >= 0 && *known >= x->ndim))) {
      return c.Error("op-argument-shape")
             << "'axis' of " << SurfaceName(call) << " is " << *known << ", but "
             << DescribeArg(c, call, 0) << " has " << CountOf(x->ndim, "dimension");
    }
    const bool shape = absl::StrContains(call.op()->name, "shape");
    if (shape && known != nullptr && x->dims() != nullptr) value = (*x->dims())[*known];
  }
  if (!of_axis) return c.ir().Prim(DType::UInt(64));
  return c.ir().Prim(DType::Int(64), value);
}

}  // namespace lathe::ops
