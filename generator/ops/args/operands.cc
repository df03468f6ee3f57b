#include "generator/ops/args/operands.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/ops/args/ir_names.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::ops {

using ir::Operand;

std::string SurfaceName(const Call& call) {
  return absl::StrCat("R.", absl::StripPrefix(call.op()->name, "relax."));
}

std::string ArgName(const Call& call, int i) {
  for (const ir::OpParam& p : call.op()->params) {
    if (!p.attr && !p.variadic && p.position == i) return absl::StrCat("'", p.name, "'");
  }
  return absl::StrCat("argument ", i);
}

std::string Show(const InferContext& c, ir::StructInfoRef info) {
  return ir::ToString(info, [&c](ir::ValueId id) {
    const bool known = id.valid() && id.index < std::ssize(c.module().values);
    return known ? c.module().values[id].name : std::string("?");
  });
}

std::string DescribeArg(const InferContext& c, const Call& call, int i) {
  return absl::StrCat(ArgName(call, i), " of ", SurfaceName(call), " (", c.Show(call.args[i]), ": ",
                      Show(c, c.InfoOf(call.args[i])), ")");
}

absl::Status NeedArg(InferContext& c, const Call& call, int i) {
  if (i < static_cast<int>(call.args.size())) return absl::OkStatus();
  return c.Error("op-argument-count") << SurfaceName(call) << " needs " << ArgName(call, i)
                                      << ": it has " << CountOf(call.args.size(), "argument");
}

namespace {

absl::Status WrongKind(InferContext& c, const Call& call, int i, absl::string_view wanted) {
  return c.Error("op-argument-kind")
         << ArgName(call, i) << " of " << SurfaceName(call) << " must be " << wanted << ", but "
         << c.Show(call.args[i]) << " has type " << Show(c, c.InfoOf(call.args[i]));
}

template <typename T>
absl::StatusOr<const T*> InfoArg(InferContext& c, const Call& call, int i,
                                 absl::string_view wanted) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, i));
  if (const T* info = c.InfoOf(call.args[i])->As<T>()) return info;
  return WrongKind(c, call, i, wanted);
}

// The value of a scalar argument or tuple field; null when unknown. For a written expression such
// as n + 1, the info may have the constant value.
PrimRef ValueOf(const Operand& operand, ir::StructInfoRef info) {
  const auto* prim = operand.As<ir::PrimValue>();
  PrimRef written = prim == nullptr ? nullptr : prim->value;
  const bool number = written != nullptr && (written->As<ir::IntImm>() != nullptr ||
                                             written->As<ir::FloatImm>() != nullptr);
  const auto* known = info->As<ir::PrimInfo>();
  return number || known == nullptr || known->value == nullptr ? written : known->value;
}

}  // namespace

absl::StatusOr<const TensorInfo*> TensorArg(InferContext& c, const Call& call, int i) {
  return InfoArg<TensorInfo>(c, call, i, "a tensor");
}

absl::StatusOr<const ir::ShapeInfo*> ShapeArg(InferContext& c, const Call& call, int i) {
  return InfoArg<ir::ShapeInfo>(c, call, i, "a shape");
}

absl::StatusOr<std::vector<const TensorInfo*>> TensorTupleArg(InferContext& c, const Call& call,
                                                              int i) {
  LATHE_ASSIGN_OR_RETURN(const ir::TupleInfo* tuple,
                         InfoArg<ir::TupleInfo>(c, call, i, "a tuple of tensors"));
  std::vector<const TensorInfo*> tensors;
  for (ir::StructInfoRef field : tuple->fields) {
    const auto* tensor = field->As<TensorInfo>();
    if (tensor == nullptr) return WrongKind(c, call, i, "a tuple of tensors");
    tensors.push_back(tensor);
  }
  return tensors;
}

absl::StatusOr<std::vector<const TensorInfo*>> TensorArgs(InferContext& c, const Call& call) {
  std::vector<const TensorInfo*> tensors;
  for (const ir::OpParam& p : call.op()->params) {
    const int i = static_cast<int>(tensors.size());
    if (p.attr || (p.optional && i >= static_cast<int>(call.args.size()))) continue;
    LATHE_ASSIGN_OR_RETURN(const TensorInfo* tensor, TensorArg(c, call, i));
    tensors.push_back(tensor);
  }
  return tensors;
}

absl::StatusOr<PrimRef> PrimArg(InferContext& c, const Call& call, int i) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, i));
  if (c.InfoOf(call.args[i])->As<ir::PrimInfo>() == nullptr) {
    return WrongKind(c, call, i, "a scalar");
  }
  return ValueOf(call.args[i], c.InfoOf(call.args[i]));
}

absl::StatusOr<std::vector<PrimRef>> PrimTupleArg(InferContext& c, const Call& call, int i) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, i));
  if (call.args[i].As<ir::ShapeExpr>() != nullptr) {
    const auto* shape = c.InfoOf(call.args[i])->As<ir::ShapeInfo>();
    if (shape != nullptr && shape->values) return *shape->values;
  }
  std::vector<PrimRef> values;
  if (const auto* tuple = call.args[i].As<ir::TupleExpr>()) {
    for (const Operand& field : tuple->fields) {
      if (c.InfoOf(field)->As<ir::PrimInfo>() == nullptr) {
        return WrongKind(c, call, i, "a tuple of scalars");
      }
      values.push_back(ValueOf(field, c.InfoOf(field)));
    }
    return values;
  }
  LATHE_ASSIGN_OR_RETURN(const ir::TupleInfo* info,
                         InfoArg<ir::TupleInfo>(c, call, i, "a tuple of scalars"));
  for (ir::StructInfoRef field : info->fields) {
    const auto* prim = field->As<ir::PrimInfo>();
    if (prim == nullptr) return WrongKind(c, call, i, "a tuple of scalars");
    values.push_back(prim->value);
  }
  return values;
}

absl::StatusOr<ir::DType> DTypeArg(InferContext& c, const Call& call, int i) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, i));
  if (const auto* imm = call.args[i].As<ir::DTypeImm>()) return imm->dtype;
  return WrongKind(c, call, i, "a dtype literal");
}

absl::StatusOr<std::string> StringArg(InferContext& c, const Call& call, int i) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, i));
  if (const auto* imm = call.args[i].As<ir::StringImm>()) return imm->value;
  return WrongKind(c, call, i, "a string literal");
}

absl::StatusOr<PrimRef> PrimValueOf(ir::ComputeContext& c, const Call& call, int i) {
  if (PrimRef value = ValueOf(call.args[i], c.InfoOf(call.args[i]))) return value;
  return absl::UnimplementedError(absl::StrCat(ArgName(call, i), " of ", SurfaceName(call),
                                               " has no value that can be computed"));
}

absl::Status NeedRank(InferContext& c, const Call& call, int i, const TensorInfo& x, int rank) {
  if (x.ndim == rank || x.ndim == ir::kUnknownRank) return absl::OkStatus();
  return c.Error("op-argument-rank") << DescribeArg(c, call, i) << " must have "
                                     << CountOf(rank, "dimension") << ", got " << x.ndim;
}

absl::Status NeedSame(InferContext& c, const Call& call, int i, int j, PrimRef a, PrimRef b,
                      absl::string_view what) {
  if (c.CanEqual(a, b)) return absl::OkStatus();
  return c.Error("op-argument-shape")
         << DescribeArg(c, call, i) << " and " << DescribeArg(c, call, j) << " differ in " << what
         << ": " << ToString(a) << " and " << ToString(b);
}

absl::Status NeedFloat(InferContext& c, const Call& call, int i, const TensorInfo& x) {
  if (x.dtype.is_void() || x.dtype.is_floating()) return absl::OkStatus();
  return c.Error("op-argument-dtype")
         << DescribeArg(c, call, i) << " must have a floating-point dtype, got "
         << ToString(x.dtype);
}

absl::Status NeedInteger(InferContext& c, const Call& call, int i, const TensorInfo& x) {
  if (x.dtype.is_void() || x.dtype.is_integer()) return absl::OkStatus();
  return c.Error("op-argument-dtype")
         << DescribeArg(c, call, i) << " must have an integer dtype, got " << ToString(x.dtype);
}

const std::vector<PrimRef>* DimsOf(const InferContext& c, const TensorInfo& x) {
  if (x.shape_var() == nullptr) return x.dims();
  const auto* shape = c.InfoOf(Operand{*x.shape_var()})->As<ir::ShapeInfo>();
  return shape != nullptr && shape->values.has_value() ? &*shape->values : nullptr;
}

ir::StructInfoRef WithDType(ir::Context& context, const TensorInfo& x, ir::DType dtype) {
  TensorInfo result = x;
  result.dtype = dtype;
  return context.Make(ir::StructInfo::Node(std::move(result)));
}

ir::StructInfoRef TensorOf(ir::Context& context, const TensorInfo::ShapeOrVar& shape, int ndim,
                           ir::DType dtype, ir::VDeviceRef vdevice) {
  TensorInfo result;
  result.shape = shape;
  result.dtype = dtype;
  result.vdevice = vdevice;
  result.ndim = ndim;
  if (result.dims() != nullptr) result.ndim = static_cast<int>(result.dims()->size());
  return context.Make(ir::StructInfo::Node(std::move(result)));
}

absl::StatusOr<ir::StructInfoRef> TensorOfShapeArg(InferContext& c, const Call& call, int i,
                                                   ir::DType dtype, ir::VDeviceRef vdevice) {
  LATHE_ASSIGN_OR_RETURN(const ir::ShapeInfo* shape, ShapeArg(c, call, i));
  if (shape->values.has_value()) {
    std::vector<PrimRef> dims;
    for (PrimRef dim : *shape->values) {
      dims.push_back(c.Simplify(dim));
      if (const int64_t* size = AsInt(dims.back()); size != nullptr && *size < 0) {
        return c.Error("op-argument-shape") << ArgName(call, i) << " of " << SurfaceName(call)
                                            << " contains a negative dimension: " << *size;
      }
    }
    return c.ir().Tensor(dims, dtype, vdevice);
  }
  if (const auto* var = call.args[i].As<ir::ValueId>()) {
    return TensorOf(c.ir(), *var, shape->ndim, dtype, vdevice);
  }
  return c.ir().Tensor(shape->ndim, dtype, vdevice);
}

const int64_t* AsInt(PrimRef e) {
  const auto* imm = e == nullptr ? nullptr : e->As<ir::IntImm>();
  return imm == nullptr ? nullptr : &imm->value;
}

bool IsOne(PrimRef e) {
  const int64_t* value = AsInt(e);
  return value != nullptr && *value == 1;
}

PrimRef Product(InferContext& c, const std::vector<PrimRef>& dims) {
  PrimRef product = c.ir().Int(1);
  for (PrimRef dim : dims) product = c.ir().Make(ir::BinaryOp::kMul, product, dim);
  return c.Simplify(product);
}

}  // namespace lathe::ops
