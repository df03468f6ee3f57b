// Implements the memory operators of lowered programs: memory.*, vm.*, builtin.*.
#include <utility>
#include <vector>

#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/ops/te/scalar_math.h"
#include "generator/support/status.h"

namespace lathe::ops {

namespace {

// True for a parameter of R.memory.view that keeps the property of the tensor: omitted, or
// R.null_value().
bool IsAbsent(const InferContext& c, const Call& call, size_t i) {
  if (i >= call.args.size()) return true;
  const auto* tuple = call.args[i].As<ir::TupleExpr>();
  if (tuple != nullptr) return tuple->fields.empty();
  return call.args[i].As<ir::ValueId>() != nullptr &&
         c.InfoOf(call.args[i])->As<ir::ObjectInfo>() != nullptr;
}

PrimRef Bytes(InferContext& c, const std::vector<PrimRef>& dims, DType dtype) {
  return c.Simplify(c.ir().Make(ir::BinaryOp::kMul, Product(c, dims),
                                c.ir().Int(static_cast<int64_t>(ir::StorageBytes(dtype, 1)))));
}

}  // namespace

// The variants of alloc_tensor: the shape is argument `i`, the dtype the next.
Result InferAllocTensor(InferContext& c, const Call& call) {
  const int shape = call.op()->name == "relax.builtin.alloc_tensor" ? 0 : 2;
  LATHE_ASSIGN_OR_RETURN(const DType dtype, DTypeArg(c, call, shape + 1));
  return TensorOfShapeArg(c, call, shape, dtype, nullptr);
}

Result InferAllocStorage(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(ShapeArg(c, call, 0).status());
  return c.ir().Object();
}

Result InferSameValue(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, 0));
  return c.InfoOf(call.args[0]);
}

// Marks a variable for the gradient; other operands are invalid.
Result InferCheckpoint(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, 0));
  if (call.args[0].As<ir::ValueId>() == nullptr) {
    return c.Error("op-argument-kind") << DescribeArg(c, call, 0) << " must be a variable";
  }
  return c.InfoOf(call.args[0]);
}

// Views bytes of a tensor, which must be in range.
Result InferView(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(const TensorInfo* x, TensorArg(c, call, 0));
  DType dtype = x->dtype;
  if (!IsAbsent(c, call, 2)) {
    LATHE_ASSIGN_OR_RETURN(dtype, DTypeArg(c, call, 2));
    if (dtype.is_void()) {
      return c.Error("op-argument-dtype") << "the dtype of a view must not be void";
    }
  }
  const bool moved = !IsAbsent(c, call, 3);
  PrimRef offset = c.ir().Int(0);
  if (moved) {
    LATHE_ASSIGN_OR_RETURN(offset, PrimArg(c, call, 3));
  }
  const bool counted = x->dims() != nullptr && !x->dtype.is_void();
  if (!counted && moved && IsAbsent(c, call, 1) && IsAbsent(c, call, 2) && offset != nullptr &&
      c.ProveLessEqual(offset, c.ir().Int(0, offset->dtype())) == ir::Tri::kNo) {
    return c.Error("op-argument-shape") << "the view of " << DescribeArg(c, call, 0)
                                        << " from byte " << ToString(offset) << " on is too large";
  }
  StructInfoRef result = WithDType(c.ir(), *x, dtype);
  if (!IsAbsent(c, call, 1)) {
    LATHE_ASSIGN_OR_RETURN(result, TensorOfShapeArg(c, call, 1, dtype, x->vdevice));
  }
  const auto* out = result->As<TensorInfo>();
  if (x->dims() == nullptr || out->dims() == nullptr || offset == nullptr) return result;
  if (!counted && !moved && IsAbsent(c, call, 2)) {
    // With the same dtype and no offset, the view cannot have more elements than the tensor.
    const PrimRef has = Product(c, *x->dims());
    const PrimRef views = Product(c, *out->dims());
    if (c.ProveLessEqual(views, has) == ir::Tri::kNo) {
      return c.Error("op-argument-shape") << DescribeArg(c, call, 0) << " has " << ToString(has)
                                          << " elements, but the view has " << ToString(views);
    }
  }
  if (c.ProveLessEqual(c.ir().Int(0, offset->dtype()), offset) == ir::Tri::kNo) {
    return c.Error("op-argument-shape")
           << SurfaceName(call) << " starts at byte " << ToString(offset) << ", before the start";
  }
  if (x->dtype.is_void() || dtype.is_void()) return result;
  PrimRef have = Bytes(c, *x->dims(), x->dtype);
  PrimRef need = c.Simplify(c.ir().Make(ir::BinaryOp::kAdd, offset, Bytes(c, *out->dims(), dtype)));
  if (c.ProveLessEqual(need, have) == ir::Tri::kNo) {
    return c.Error("op-argument-shape")
           << DescribeArg(c, call, 0) << " has " << ToString(have)
           << " bytes, but the view reaches to byte " << ToString(need);
  }
  return result;
}

}  // namespace lathe::ops
