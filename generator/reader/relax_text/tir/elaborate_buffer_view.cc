#include "generator/reader/relax_text/tir/elaborate_buffer_view.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/arithmetic/simplify.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::PrimRef;

PrimRef Folded(ir::Context& context, ir::BinaryOp op, PrimRef a, PrimRef b) {
  return analysis::Simplify(context, context.Make(op, a, context.MakeCast(a->dtype(), b)));
}

PrimRef CountOfElements(ir::Context& context, const std::vector<PrimRef>& shape, ir::DType dtype) {
  PrimRef count = context.Int(1, dtype);
  for (PrimRef dim : shape) count = Folded(context, ir::BinaryOp::kMul, count, dim);
  return count;
}

std::string ShowShape(const std::vector<PrimRef>& shape) {
  return absl::StrCat(
      "(",
      absl::StrJoin(shape, ", ",
                    [](std::string* out, PrimRef dim) { out->append(ir::ToString(dim)); }),
      ")");
}

// Elements of another dtype: the last dimension and the offset are scaled by the ratio of the bits.
absl::Status WithDType(StmtElaborator& s, const ast::Expr& e, ir::DType dtype, ir::Buffer& view) {
  const auto bits = [](ir::DType t) { return int64_t{t.bits} * t.lanes; };
  const int64_t from = bits(view.dtype), to = bits(dtype);
  const bool widens = to > from;
  const int64_t ratio = widens ? to / from : from / to;
  if (view.shape.empty() || from * (widens ? ratio : 1) != to * (widens ? 1 : ratio)) {
    return s.el().Error(e, "wrong-arguments")
           << "a view of " << ir::ToString(view.dtype) << " elements as " << ir::ToString(dtype);
  }
  const auto scaled = [&](PrimRef e) {
    const ir::BinaryOp op = widens ? ir::BinaryOp::kFloorDiv : ir::BinaryOp::kMul;
    return Folded(s.context(), op, e, s.context().Int(ratio, e->dtype()));
  };
  const auto* last = view.shape.back()->As<ir::IntImm>();
  if (widens && (last == nullptr || last->value % ratio != 0)) {
    return s.el().Error(e, "wrong-arguments")
           << "a view as " << ir::ToString(dtype)
           << " needs a last dimension that is a multiple of " << ratio << ", got "
           << ir::ToString(view.shape.back());
  }
  view.shape.back() = scaled(view.shape.back());
  if (view.elem_offset != nullptr) view.elem_offset = scaled(view.elem_offset);
  view.dtype = dtype;
  return absl::OkStatus();
}

// Another shape, of which one dimension may be -1: what the others leave.
absl::Status WithShape(StmtElaborator& s, const ast::Expr& e, std::vector<PrimRef> shape,
                       ir::Buffer& view) {
  ir::Context& context = s.context();
  const ir::DType dtype = view.shape.empty() ? ir::DType::Int(32) : view.shape[0]->dtype();
  const PrimRef count = CountOfElements(context, view.shape, dtype);
  PrimRef* open = nullptr;
  std::vector<PrimRef> others;
  for (PrimRef& dim : shape) {
    const auto* number = dim->As<ir::IntImm>();
    if (number == nullptr || number->value != -1) {
      others.push_back(dim);
    } else if (std::exchange(open, &dim) != nullptr) {
      return s.el().Error(e, "wrong-arguments") << "a view has at most one dimension of -1";
    }
  }
  const PrimRef left = CountOfElements(context, others, dtype);
  const auto* all = count->As<ir::IntImm>();
  const auto* part = left->As<ir::IntImm>();
  const bool known = all != nullptr && part != nullptr;
  const bool fits = !known || (open == nullptr ? all->value == part->value
                                               : part->value > 0 && all->value % part->value == 0);
  if (!fits) {
    return s.el().Error(e, "wrong-arguments")
           << "a view of shape " << ShowShape(shape) << " of '" << view.name << "' of shape "
           << ShowShape(view.shape);
  }
  if (open != nullptr) *open = Folded(context, ir::BinaryOp::kFloorDiv, count, left);
  view.shape = std::move(shape);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<TirFrame> ElaborateBufferView(StmtElaborator& s, const ast::Expr& e,
                                             ir::BufferRef buffer, absl::string_view name) {
  const auto& call = *e.As<ast::Call>();
  if (!call.keywords.empty() || buffer->layout != nullptr || !buffer->allocated_addr.empty()) {
    return s.el().Unsupported(e, "host-python")
           << "a view with a layout is part of the tile programming interface, which computes in "
           << "Python; declare the view with T.decl_buffer";
  }
  if (!buffer->strides.empty()) {
    return s.el().Unsupported(e, "host-python")
           << "a view of '" << buffer->name
           << "', which has strides; declare the view with T.decl_buffer";
  }
  ir::Buffer view = *buffer;
  view.loc = e.span();
  view.axis_separators.clear();
  std::optional<ir::DType> dtype;
  std::vector<PrimRef> shape;
  for (const ast::ExprRef arg : call.args) {
    LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.scalars().Eval(*arg));
    const bool is_type = value.As<std::string>() != nullptr || value.As<TypeName>() != nullptr;
    if (is_type && call.args.size() == 1) {
      LATHE_ASSIGN_OR_RETURN(dtype, ToDType(s.el(), *arg, value));
      continue;
    }
    LATHE_ASSIGN_OR_RETURN(const PrimRef dim, ToScalar(s.el(), *arg, value, ir::DType::Int(32)));
    if (!dim->dtype().is_integer() || !dim->dtype().is_scalar()) {
      return s.el().Error(*arg, "buffer-shape-type")
             << "a dimension must be an integer, " << ir::ToString(dim) << " is "
             << ir::ToString(dim->dtype());
    }
    shape.push_back(dim);
  }
  LATHE_RETURN_IF_ERROR(dtype ? WithDType(s, e, *dtype, view)
                              : WithShape(s, e, std::move(shape), view));
  view.name = std::string(name);
  const ir::BufferRef made = s.context().NewBuffer(std::move(view));
  return TirFrame{made, [made](ir::StmtRef body) {
                    return ir::Stmt::Node(ir::DeclBufferStmt{made, body});
                  }};
}

}  // namespace lathe::relax_text
