#include "generator/reader/relax_text/tir/elaborate_buffer.h"

#include "generator/ir/device_intrinsic.h"
#include "generator/reader/relax_text/syntax/parse.h"
#include "generator/reader/relax_text/tir/elaborate_memory_scope.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::PrimRef;

absl::StatusOr<PrimRef> Dimension(StmtElaborator& s, const ast::Expr& e) {
  if (e.As<ast::Str>() == nullptr) return s.scalars().Scalar(e);
  const ast::Expr* quoted = ParseQuoted(s.el().tree(), e, s.el().diags());
  if (quoted == nullptr) return AlreadyDiagnosed();
  s.scope().set_in_quotes(true);
  absl::StatusOr<PrimRef> dim = s.scalars().Scalar(*quoted);
  s.scope().set_in_quotes(false);
  return dim;
}

absl::StatusOr<PrimRef> Stride(StmtElaborator& s, const ast::Expr& e, ir::DType dtype) {
  if (const auto* text = e.As<ast::Str>()) return s.context().NewVar(text->value, dtype);
  return s.scalars().Scalar(e);
}

// Reads the tile layout and the address of a buffer: layout=T.TileLayout(...), allocated_addr=[0].
absl::Status TileParts(StmtElaborator& s, const CallArguments& args, ir::Buffer& buffer) {
  if (const ast::Expr* layout = args.GetUnlessNone("layout")) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef value, s.scalars().Argument(*layout));
    const auto* name = value->As<ir::StringImm>();
    const auto* call = value->As<ir::Intrinsic>();
    if (name == nullptr && (call == nullptr || !ir::IsLayout(call->name))) {
      return s.el().Error(*layout, "wrong-kind-of-value")
             << "a layout must be a name or a call such as T.TileLayout(...)";
    }
    if (name == nullptr || name->value != "default") buffer.layout = value;
  }
  if (const ast::Expr* address = args.GetUnlessNone("allocated_addr")) {
    LATHE_ASSIGN_OR_RETURN(buffer.allocated_addr, s.scalars().Scalars(*address));
  }
  if (const ast::Expr* given = args.GetUnlessNone("byte_offset")) {
    return s.el().Unsupported(*given, "host-python")
           << "byte_offset= belongs to the tile programming interface, which is not supported; use "
              "elem_offset=";
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<PrimRef>> ElaborateShape(StmtElaborator& s, const ast::Expr& e) {
  ast::ExprList items;
  if (const auto* tuple = e.As<ast::Tuple>()) {
    items = tuple->elements;
  } else if (const auto* list = e.As<ast::List>()) {
    items = list->elements;
  } else if (e.As<ast::Str>() != nullptr) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef one, Dimension(s, e));
    return std::vector<PrimRef>{one};
  } else {
    return s.scalars().Scalars(e);
  }
  std::vector<PrimRef> shape;
  for (const ast::ExprRef item : items) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef dim, Dimension(s, *item));
    shape.push_back(dim);
  }
  return shape;
}

namespace {

// Sets the strides of `buffer`, whose shape is known, and checks their number.
absl::Status ElaborateStrides(StmtElaborator& s, const ast::Expr& strides, ir::DType index_type,
                              ir::Buffer& buffer) {
  ast::ExprList items;
  if (const auto* tuple = strides.As<ast::Tuple>()) items = tuple->elements;
  if (const auto* list = strides.As<ast::List>()) items = list->elements;
  for (const ast::ExprRef item : items) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef stride, Stride(s, *item, index_type));
    buffer.strides.push_back(stride);
  }
  if (items.empty()) {
    LATHE_ASSIGN_OR_RETURN(buffer.strides, s.scalars().Scalars(strides));
  }
  if (buffer.strides.empty() || buffer.strides.size() == buffer.shape.size()) {
    return absl::OkStatus();
  }
  return s.el().Error(strides, "wrong-arguments")
         << "the buffer has " << CountOf(buffer.shape.size(), "dimension") << " and "
         << buffer.strides.size() << " strides";
}

absl::Status ElaborateAxisSeparators(StmtElaborator& s, const ast::Expr& separators,
                                     ir::Buffer& buffer) {
  LATHE_ASSIGN_OR_RETURN(const std::vector<PrimRef> axes, s.scalars().Scalars(separators));
  for (PrimRef axis : axes) {
    const auto* number = axis->As<ir::IntImm>();
    if (number == nullptr || number->value < 0 ||
        number->value > static_cast<int64_t>(buffer.shape.size())) {
      return s.el().Error(separators, "wrong-arguments")
             << "axis_separators must be constants from 0 to the number of dimensions";
    }
    buffer.axis_separators.push_back(static_cast<int>(number->value));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ir::BufferRef> ElaborateBuffer(StmtElaborator& s, const ast::Expr& e,
                                              const CallArguments& args, absl::string_view name,
                                              const BufferDefaults& defaults) {
  ScalarElaborator& scalars = s.scalars();
  ir::Buffer buffer;
  buffer.name = std::string(name);
  buffer.loc = e.span();
  buffer.shape = defaults.shape;
  buffer.dtype = defaults.dtype;
  buffer.scope = defaults.scope;
  LATHE_RETURN_IF_ERROR(TileParts(s, args, buffer));
  if (const ast::Expr* shape = args.GetUnlessNone("shape")) {
    LATHE_ASSIGN_OR_RETURN(buffer.shape, ElaborateShape(s, *shape));
    for (PrimRef dim : buffer.shape) {
      if (!dim->dtype().is_integer() || !dim->dtype().is_scalar()) {
        return s.el().Error(*shape, "buffer-shape-type")
               << "a dimension must be an integer, but " << ir::ToString(dim) << " has dtype "
               << ir::ToString(dim->dtype());
      }
    }
  }
  if (const ast::Expr* dtype = args.GetUnlessNone("dtype")) {
    LATHE_ASSIGN_OR_RETURN(buffer.dtype, scalars.Type(*dtype));
    if (buffer.dtype.is_void()) {
      return s.el().Error(*dtype, "unknown-dtype") << "the dtype of a buffer must not be void";
    }
  }
  const ir::DType index_type =
      buffer.shape.empty() ? ir::DType::Int(32) : buffer.shape.front()->dtype();
  if (const ast::Expr* data = args.GetUnlessNone("data")) {
    LATHE_ASSIGN_OR_RETURN(buffer.data, scalars.Scalar(*data));
    const auto* pointer = buffer.data->As<ir::SymVar>();
    if (pointer == nullptr || !buffer.data->dtype().is_handle()) {
      return s.el().Error(*data, "wrong-kind-of-value")
             << "data= must be a pointer variable, such as A.data";
    }
    if (!pointer->scope.empty()) buffer.scope = pointer->scope;
  }
  if (const ast::Expr* strides = args.GetUnlessNone("strides")) {
    LATHE_RETURN_IF_ERROR(ElaborateStrides(s, *strides, index_type, buffer));
  }
  if (const ast::Expr* factor = args.GetUnlessNone("offset_factor")) {
    LATHE_ASSIGN_OR_RETURN(buffer.offset_factor, scalars.Int(*factor));
  }
  if (const ast::Expr* offset = args.GetUnlessNone("elem_offset")) {
    LATHE_ASSIGN_OR_RETURN(buffer.elem_offset, scalars.Scalar(*offset));
    const auto* number = buffer.elem_offset->As<ir::IntImm>();
    if (number != nullptr && number->value == 0) buffer.elem_offset = nullptr;
  } else if (buffer.offset_factor != 0) {
    buffer.elem_offset = s.context().NewVar(absl::StrCat(name, "_elem_offset"), index_type);
  }
  if (const ast::Expr* scope = args.GetUnlessNone("scope")) {
    LATHE_ASSIGN_OR_RETURN(buffer.scope, ElaborateMemoryScope(s, *scope));
    if (buffer.scope.empty()) buffer.scope = "global";
  }
  if (const ast::Expr* align = args.GetUnlessNone("align")) {
    LATHE_ASSIGN_OR_RETURN(const int64_t bytes, scalars.Int(*align));
    buffer.align = bytes > 0 ? bytes : 0;
  }
  if (const ast::Expr* type = args.GetUnlessNone("buffer_type")) {
    LATHE_ASSIGN_OR_RETURN(const std::string kind, scalars.String(*type));
    if (kind != "auto" && kind != "default" && !kind.empty()) {
      return s.el().Error(*type, "wrong-arguments")
             << "buffer_type must be \"default\" or \"auto\", got \"" << kind << "\"";
    }
    buffer.auto_broadcast = kind == "auto";
  }
  if (const ast::Expr* separators = args.GetUnlessNone("axis_separators")) {
    LATHE_RETURN_IF_ERROR(ElaborateAxisSeparators(s, *separators, buffer));
  }
  if (buffer.data == nullptr) {
    buffer.data = s.context().NewPointer(name, buffer.dtype, buffer.scope);
  }
  return s.context().NewBuffer(std::move(buffer));
}

}  // namespace lathe::relax_text
