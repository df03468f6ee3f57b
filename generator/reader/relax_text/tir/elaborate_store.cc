#include "generator/reader/relax_text/tir/elaborate_store.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/reader/relax_text/tir/scalar_slices.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;

absl::StatusOr<ir::BufferRef> Target(StmtElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.scalars().Eval(e));
  if (const auto* buffer = value.As<ir::BufferRef>()) return *buffer;
  return s.el().Error(e, "store-target")
         << "the target of a store must be a buffer, got " << Describe(value);
}

// Returns the type that one store writes: the type of the buffer with the lanes of the last index.
DType StoredType(ir::BufferRef buffer, const std::vector<PrimRef>& indices) {
  const int lanes = indices.empty() ? 1 : indices.back()->dtype().lanes;
  return buffer->dtype.with_lanes(buffer->dtype.lanes * lanes);
}

}  // namespace

absl::StatusOr<ScalarValue> ElaborateSource(StmtElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(ScalarValue value, s.scalars().Eval(e));
  const auto* slice = value.As<BufferSlice>();
  if (slice == nullptr) return value;
  LATHE_ASSIGN_OR_RETURN(const PrimRef load, ToLoad(s.el(), e, *slice));
  return ScalarValue(load);
}

// Reports a stored value whose type does not match that of the elements at `indices`.
absl::Status RefuseStore(StmtElaborator& s, const ast::Expr& at, const ir::Buffer& buffer,
                         const std::vector<PrimRef>& indices, DType wanted, DType got) {
  DiagnosticBuilder error = s.el().Error(at, "store-type");
  if (got.lanes <= 1 || wanted.lanes < 1 || buffer.dtype.lanes != 1 || indices.empty()) {
    return error << "'" << buffer.name << "' needs a value of dtype " << ir::ToString(wanted)
                 << ", got " << ir::ToString(got);
  }
  error << "a vector of " << CountOf(got.lanes, "element") << " cannot be stored to "
        << (wanted.lanes == 1 ? "one element" : CountOf(wanted.lanes, "element")) << " of '"
        << buffer.name << "'";
  if (wanted.lanes != 1) return error;
  const auto* first = indices.back()->As<ir::IntImm>();
  const bool is_small =
      first != nullptr && first->value < std::numeric_limits<int64_t>::max() - got.lanes;
  const std::string end = is_small ? absl::StrCat(first->value + got.lanes)
                                   : absl::StrCat(ir::ToString(indices.back()), " + ", got.lanes);
  std::string slice;
  for (PrimRef index : indices)
    absl::StrAppend(&slice, slice.empty() ? "" : ", ", ir::ToString(index));
  return error << "; store to " << buffer.name << "[" << slice << ":" << end << "]";
}

absl::Status EmitStore(StmtElaborator& s, const ast::Expr& at, ir::BufferRef buffer,
                       std::vector<PrimRef> indices, const ScalarValue& value, PrimRef predicate,
                       const TextSpan& span) {
  if (indices.size() != buffer->shape.size()) {
    return s.el().Error(at, "buffer-index-count")
           << "'" << buffer->name << "' has " << CountOf(buffer->shape.size(), "dimension")
           << ", got " << CountOf(indices.size(), "index", "indices");
  }
  LATHE_ASSIGN_OR_RETURN(const PrimRef scalar, ToScalar(s.el(), at, value, DType::Int(32)));
  const DType wanted = StoredType(buffer, indices);
  const DType got = scalar->dtype();
  const bool is_text = scalar->As<ir::StringImm>() != nullptr;
  if ((got.lanes != wanted.lanes && !got.is_scalar()) || got.is_void() || is_text ||
      (got.is_handle() != wanted.is_handle())) {
    return RefuseStore(s, at, *buffer, indices, wanted, got);
  }
  s.Emit(ir::StoreStmt{buffer, std::move(indices), Convert(s.context(), wanted, scalar), predicate},
         span);
  return absl::OkStatus();
}

absl::Status ElaborateStore(StmtElaborator& s, const ast::Expr& target, const ast::Expr& value_at,
                            const ScalarValue& value, const TextSpan& span) {
  const auto& subscript = *target.As<ast::Subscript>();
  LATHE_ASSIGN_OR_RETURN(const ir::BufferRef buffer, Target(s, *subscript.object));
  LATHE_ASSIGN_OR_RETURN(const BufferSlice slice, EvalSlice(s.scalars(), target, buffer));
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> indices, ToIndices(s.el(), target, slice));
  return EmitStore(s, value_at, buffer, std::move(indices), value, nullptr, span);
}

absl::Status ElaborateBufferStore(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, "T.buffer_store",
                                                              "buffer value indices predicate?"));
  LATHE_ASSIGN_OR_RETURN(const ir::BufferRef buffer, Target(s, args["buffer"]));
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, ElaborateSource(s, args["value"]));
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> indices, s.scalars().Scalars(args["indices"]));
  PrimRef predicate = nullptr;
  if (const ast::Expr* mask = args.GetUnlessNone("predicate")) {
    LATHE_ASSIGN_OR_RETURN(predicate, s.scalars().Scalar(*mask));
  }
  return EmitStore(s, e, buffer, std::move(indices), value, predicate, stmt.span());
}

absl::Status ElaborateVectorStore(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& e) {
  const auto& method = *e.As<ast::Call>()->callee->As<ast::Attribute>();
  LATHE_ASSIGN_OR_RETURN(const ir::BufferRef buffer, Target(s, *method.object));
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, "vstore", "begin value predicate?"));
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> indices, s.scalars().Scalars(args["begin"]));
  LATHE_ASSIGN_OR_RETURN(const PrimRef value, s.scalars().Scalar(args["value"]));
  PrimRef predicate = nullptr;
  if (const ast::Expr* mask = args.GetUnlessNone("predicate")) {
    LATHE_ASSIGN_OR_RETURN(predicate, s.scalars().Scalar(*mask));
  }
  if (!indices.empty() && indices.back()->dtype().is_scalar() &&
      value->dtype().lanes != buffer->dtype.lanes) {
    const PrimRef base = indices.back();
    indices.back() = s.context().Make(base->dtype().with_lanes(value->dtype().lanes),
                                      ir::Ramp{base, s.context().Int(1, base->dtype())});
  }
  return EmitStore(s, e, buffer, std::move(indices), value, predicate, stmt.span());
}

}  // namespace lathe::relax_text
