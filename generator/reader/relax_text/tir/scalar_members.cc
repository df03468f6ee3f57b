#include "generator/reader/relax_text/tir/scalar_members.h"

#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;
using ScalarResult = absl::StatusOr<ScalarValue>;

// Members of buffers that compute tiles and layouts while the program is read.
constexpr absl::string_view kTileMembers[] = {"local",   "view",  "permute",   "partition",
                                              "tile",    "sub",   "rearrange", "reshape",
                                              "storage", "layout"};

bool IsTileMember(absl::string_view name) {
  for (absl::string_view known : kTileMembers) {
    if (known == name) return true;
  }
  return false;
}

ScalarResult NoMember(ScalarElaborator& s, const ast::Expr& e, const ScalarValue& object,
                      absl::string_view member) {
  if (object.As<ir::BufferRef>() != nullptr && IsTileMember(member)) {
    return s.el().Unsupported(e, "host-python")
           << "'." << member
           << "' belongs to the tile programming interface, which is not supported; declare the "
              "view with T.decl_buffer";
  }
  return s.el().Error(e, "unknown-function")
         << Describe(object) << " has no member '" << member << "'";
}

ScalarValue ListOf(const std::vector<PrimRef>& items) {
  return MakeList(ScalarList(items.begin(), items.end()));
}

// Sums and products with the numbers in them folded.
PrimRef Fold(ir::Context& context, ir::BinaryOp op, PrimRef a, PrimRef b) {
  if (!MatchTypes(context, a, b)) return context.Make(op, a, b);
  const auto* x = a->As<ir::IntImm>();
  const auto* y = b->As<ir::IntImm>();
  if (x != nullptr && y != nullptr) {
    const absl::int128 p = x->value;
    const absl::int128 q = y->value;
    const PrimRef folded = MakeNumber(context, a->dtype(),
                                      op == ir::BinaryOp::kAdd   ? p + q
                                      : op == ir::BinaryOp::kSub ? p - q
                                                                 : p * q);
    if (folded != nullptr) return folded;
  }
  const int64_t neutral = op == ir::BinaryOp::kMul ? 1 : 0;
  if (y != nullptr && y->value == neutral) return a;
  if (x != nullptr && x->value == neutral && op != ir::BinaryOp::kSub) return b;
  return context.Make(op, a, b);
}

PrimRef ElemOffset(ir::Context& context, ir::BufferRef buffer) {
  if (buffer->elem_offset != nullptr) return buffer->elem_offset;
  return context.Int(0, buffer->shape.empty() ? DType::Int(32) : buffer->shape[0]->dtype());
}

absl::StatusOr<int> AccessMask(ScalarElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.Eval(e));
  const auto* letters = value.As<std::string>();
  if (letters == nullptr) {
    LATHE_ASSIGN_OR_RETURN(const int64_t mask, ToInt(s.el(), e, value));
    return static_cast<int>(mask & 3);
  }
  int mask = 0;
  for (const char letter : *letters) {
    if (letter != 'r' && letter != 'w') {
      return s.el().Error(e, "wrong-arguments")
             << "an access mask must be \"r\", \"w\" or \"rw\", got \"" << *letters << "\"";
    }
    mask |= letter == 'r' ? 1 : 2;
  }
  return mask;
}

// A.access_ptr("r", offset=4): the intrinsic tvm_access_ptr on A's memory.
ScalarResult AccessPtr(ScalarElaborator& s, const ast::Expr& e, ir::BufferRef buffer) {
  ir::Context& context = s.context();
  LATHE_ASSIGN_OR_RETURN(
      const auto args, CallArguments::Bind(s.el(), e, "access_ptr",
                                           "access_mask ptr_type? content_lanes? offset? extent?"));
  LATHE_ASSIGN_OR_RETURN(const int mask, AccessMask(s, args["access_mask"]));
  DType pointer = DType::Handle();
  if (const ast::Expr* type = args.Get("ptr_type")) {
    LATHE_ASSIGN_OR_RETURN(pointer, s.Type(*type));
  }
  int64_t lanes = 1;
  if (const ast::Expr* count = args.Get("content_lanes")) {
    LATHE_ASSIGN_OR_RETURN(lanes, s.Int(*count));
    if (lanes < 1 || lanes > 1024) {
      return s.el().Error(*count, "wrong-arguments") << "content_lanes must be from 1 to 1024";
    }
  }
  PrimRef offset = context.Int(0, DType::Int(32));
  if (const ast::Expr* given = args.GetUnlessNone("offset")) {
    LATHE_ASSIGN_OR_RETURN(offset, s.Scalar(*given));
  }
  PrimRef extent = nullptr;
  PrimRef first = Fold(context, ir::BinaryOp::kAdd, ElemOffset(context, buffer), offset);
  if (const ast::Expr* given = args.GetUnlessNone("extent")) {
    LATHE_ASSIGN_OR_RETURN(extent, s.Scalar(*given));
  } else {
    extent = context.Int(1, DType::Int(32));
    if (!buffer->strides.empty()) {
      extent = Fold(context, ir::BinaryOp::kMul, buffer->strides[0], buffer->shape[0]);
    } else {
      for (PrimRef dim : buffer->shape) extent = Fold(context, ir::BinaryOp::kMul, extent, dim);
    }
    if (!buffer->shape.empty()) extent = Fold(context, ir::BinaryOp::kSub, extent, offset);
    if (lanes > 1) {
      extent = context.Make(ir::BinaryOp::kFloorDiv, extent, context.Int(lanes, extent->dtype()));
    }
  }
  if (lanes > 1) {
    first = context.Make(ir::BinaryOp::kFloorDiv, ElemOffset(context, buffer),
                         context.Int(lanes, first->dtype()));
  }
  const DType content = buffer->dtype.with_lanes(buffer->dtype.lanes * static_cast<int>(lanes));
  return ScalarValue(
      context.MakeIntrinsic(pointer, "tvm_access_ptr",
                            {context.MakeIntrinsic(content, "type_annotation", {}), buffer->data,
                             first, extent, context.Int(mask, DType::Int(32))}));
}

// A.vload([i], "float32x4"): a load whose last index is a ramp.
ScalarResult VectorLoad(ScalarElaborator& s, const ast::Expr& e, ir::BufferRef buffer) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, "vload", "begin dtype? predicate?"));
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> indices, s.Scalars(args["begin"]));
  DType dtype = buffer->dtype;
  if (const ast::Expr* type = args.GetUnlessNone("dtype")) {
    LATHE_ASSIGN_OR_RETURN(dtype, s.Type(*type));
  }
  PrimRef predicate = nullptr;
  if (const ast::Expr* mask = args.GetUnlessNone("predicate")) {
    LATHE_ASSIGN_OR_RETURN(predicate, s.Scalar(*mask));
  }
  if (indices.size() != buffer->shape.size()) {
    return s.el().Error(e, "buffer-index-count")
           << "'" << buffer->name << "' has " << CountOf(buffer->shape.size(), "dimension")
           << ", got " << CountOf(indices.size(), "index", "indices");
  }
  if (dtype.lanes != buffer->dtype.lanes && !indices.empty() &&
      indices.back()->dtype().is_scalar()) {
    const PrimRef base = indices.back();
    indices.back() = s.context().Make(base->dtype().with_lanes(dtype.lanes),
                                      ir::Ramp{base, s.context().Int(1, base->dtype())});
  }
  return ScalarValue(s.context().MakeLoad(buffer, std::move(indices), predicate));
}

}  // namespace

ScalarResult EvalMember(ScalarElaborator& s, const ast::Expr& e, const ScalarValue& object,
                        const ast::Attribute& member) {
  const absl::string_view name = member.name;
  if (const auto* buffer = object.As<ir::BufferRef>()) {
    if (name == "data") return ScalarValue((*buffer)->data);
    if (name == "shape") return ListOf((*buffer)->shape);
    if (name == "strides") return ListOf((*buffer)->strides);
    if (name == "dtype") return ScalarValue::Node(ir::ToString((*buffer)->dtype));
    if (name == "elem_offset") return ScalarValue(ElemOffset(s.context(), *buffer));
    if (name == "ndim") return ScalarValue::Node(absl::int128((*buffer)->shape.size()));
  }
  if (const auto* object_value = object.As<ir::AttrObject>(); object_value != nullptr) {
    if (object_value->kind == "iter_var" && name == "var") {
      LATHE_ASSIGN_OR_RETURN(const PrimRef var, ToScalar(s.el(), e, object, s.int_dtype()));
      return ScalarValue(var);
    }
  }
  // What a variable is in later dialects: its type, or the buffer itself.
  if (name == "ty" && object.As<ir::BufferRef>() != nullptr) return object;
  if (const auto* scalar = object.As<PrimRef>(); scalar != nullptr && name == "ty") {
    return ScalarValue::Node(TypeName{(*scalar)->dtype()});
  }
  if (const auto* scalar = object.As<PrimRef>(); scalar != nullptr && name == "dtype") {
    return ScalarValue::Node(ir::ToString((*scalar)->dtype()));
  }
  return NoMember(s, e, object, name);
}

ScalarResult EvalMethod(ScalarElaborator& s, const ast::Expr& e, const ScalarValue& object,
                        const ast::Attribute& member) {
  const absl::string_view name = member.name;
  if (const auto* buffer = object.As<ir::BufferRef>()) {
    if (name == "access_ptr") return AccessPtr(s, e, *buffer);
    if (name == "vload") return VectorLoad(s, e, *buffer);
    if (name == "scope") return ScalarValue::Node((*buffer)->scope);
    if (name == "ptr_to") {
      LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, "ptr_to", "indices"));
      LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> indices, s.Scalars(args["indices"]));
      const PrimRef load = s.context().MakeLoad(*buffer, std::move(indices));
      return ScalarValue(s.context().MakeIntrinsic(DType::Handle(), "address_of", {load}));
    }
    return NoMember(s, e, object, name);
  }
  if (name == "astype") {
    LATHE_ASSIGN_OR_RETURN(const PrimRef value, ToScalar(s.el(), e, object, s.int_dtype()));
    LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, "astype", "dtype"));
    LATHE_ASSIGN_OR_RETURN(const DType dtype, s.Type(args["dtype"]));
    return ScalarValue(s.context().MakeCast(dtype, value));
  }
  return NoMember(s, e, object, name);
}

}  // namespace lathe::relax_text
