#include "generator/reader/relax_text/tir/elaborate_tir_assign.h"

#include "generator/ir/scope_id.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/tir/elaborate_allocation.h"
#include "generator/reader/relax_text/tir/elaborate_sblock.h"
#include "generator/reader/relax_text/tir/elaborate_scope_id.h"
#include "generator/reader/relax_text/tir/elaborate_signature.h"
#include "generator/reader/relax_text/tir/elaborate_store.h"
#include "generator/reader/relax_text/tir/elaborate_tir_frame.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/reader/relax_text/tir/scalar_operators.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;

// Returns the one-element buffer that `name` denotes, into which x = e stores. Returns null if
// `name` denotes none.
ir::BufferRef MutableScalar(StmtElaborator& s, absl::string_view name) {
  const TirScope::Entry* entry = s.scope().Find(name);
  if (entry == nullptr || entry->failed) return nullptr;
  ir::BufferRef buffer = nullptr;
  if (const PrimRef* scalar = entry->value.As<PrimRef>()) {
    if (const auto* load = (*scalar)->As<ir::Load>()) buffer = load->buffer;
  } else if (const auto* whole = entry->value.As<ir::BufferRef>();
             whole != nullptr && s.dialect() == TirDialect::kMutable) {
    buffer = *whole;
  }
  if (buffer == nullptr || buffer->shape.size() != 1) return nullptr;
  const auto* extent = buffer->shape[0]->As<ir::IntImm>();
  return extent != nullptr && extent->value == 1 ? buffer : nullptr;
}

absl::Status StoreScalar(StmtElaborator& s, const ast::Expr& at, ir::BufferRef buffer,
                         const ScalarValue& value, const TextSpan& span) {
  return EmitStore(s, at, buffer, {s.context().Int(0, DType::Int(32))}, value, nullptr, span);
}

absl::Status NewMutable(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& target,
                        DType dtype, const ast::Expr* at, const ScalarValue& value) {
  const absl::string_view name = target.As<ast::Name>()->id;
  const TirFrame frame = MakeScalarBuffer(s, name, dtype, "local", target.span());
  s.Emit(frame.make(nullptr), stmt.span());
  LATHE_RETURN_IF_ERROR(s.BindTarget(target, frame.value));
  if (at == nullptr) return absl::OkStatus();
  return StoreScalar(s, *at, MutableScalar(s, name), value, stmt.span());
}

absl::Status NewLet(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& target,
                    PrimRef value) {
  const PrimRef var = VariableFor(s.context(), target.As<ast::Name>()->id, value);
  LATHE_RETURN_IF_ERROR(s.BindTarget(target, var));
  s.Emit(ir::LetStmt{var, value}, stmt.span());
  return absl::OkStatus();
}

// Binds `target` if `e` declares a variable without a value: n = T.int64(), p =
// T.handle("float32"). Returns false if it does not.
absl::StatusOr<bool> Declaration(StmtElaborator& s, const ast::Expr& target, const ast::Expr& e) {
  const auto* call = e.As<ast::Call>();
  const auto* name = target.As<ast::Name>();
  if (call == nullptr || name == nullptr) return false;
  const auto function = s.scalars().TirName(*call->callee);
  if (!function) return false;
  if (function == "var" || function == "Var") {
    const bool named = function == "Var";
    LATHE_ASSIGN_OR_RETURN(const auto args,
                           CallArguments::Bind(s.el(), e, named ? "T.Var" : "T.var",
                                               named ? "name dtype? ty?" : "dtype name?"));
    const ast::Expr* type = args.GetUnlessNone("dtype");
    if (type == nullptr && named) type = args.GetUnlessNone("ty");
    if (type == nullptr) {
      return s.el().Error(e, "wrong-arguments") << "T.Var needs the type of the variable";
    }
    LATHE_ASSIGN_OR_RETURN(const DType dtype, s.scalars().Type(*type));
    LATHE_RETURN_IF_ERROR(s.BindTarget(target, MakeVar(s.context(), name->id, {dtype, {}, ""})));
    return true;
  }
  for (const ast::Keyword& keyword : call->keywords) {
    if (keyword.name == "expr") return false;
  }
  LATHE_ASSIGN_OR_RETURN(const auto type, ElaborateVarType(s, e));
  const bool sized = !call->keywords.empty() && call->keywords[0].name == "is_size_var";
  if (!type && !(sized && call->args.empty())) return false;
  VarType declared = type ? *type : VarType();
  if (!type) {
    LATHE_ASSIGN_OR_RETURN(const auto bare, ElaborateVarType(s, *call->callee));
    if (!bare) return false;
    declared = *bare;
  }
  // A quoted dimension in the signature has declared the variable already.
  const TirScope::Entry* before = s.scope().FindInnermost(name->id);
  const PrimRef* known = before == nullptr ? nullptr : before->value.As<PrimRef>();
  if (known != nullptr && (*known)->As<ir::SymVar>() != nullptr &&
      (*known)->dtype() == declared.dtype) {
    return true;
  }
  LATHE_RETURN_IF_ERROR(s.BindTarget(target, MakeVar(s.context(), name->id, declared)));
  return true;
}

// Binds `target` to `value`, or stores it if `target` is a mutable scalar. A computed scalar gets a
// new variable; other values are only named.
absl::Status BindValue(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& target,
                       const ast::Expr& e, const ScalarValue& value) {
  const auto* name = target.As<ast::Name>();
  const PrimRef* scalar = value.As<PrimRef>();
  const bool computes = scalar != nullptr || value.is_number() || value.As<bool>() != nullptr;
  if (name == nullptr || !computes) return s.BindTarget(target, value);
  if (const ir::BufferRef buffer = MutableScalar(s, name->id)) {
    return StoreScalar(s, e, buffer, value, stmt.span());
  }
  LATHE_ASSIGN_OR_RETURN(const PrimRef made, ToScalar(s.el(), e, value, DType::Int(32)));
  const bool pointer = made->dtype().is_handle() || made->dtype().is_void();
  const bool is_mutable = s.dialect() == TirDialect::kMutable ||
                          (s.dialect() == TirDialect::kFlat && s.reassigned().contains(name->id));
  if (is_mutable && !pointer) return NewMutable(s, stmt, target, made->dtype(), &e, value);
  return NewLet(s, stmt, target, made);
}

absl::Status AssignOne(StmtElaborator& s, const ast::Stmt& stmt, const ast::Expr& target,
                       const ast::Expr& e) {
  if (target.As<ast::Subscript>() != nullptr) {
    LATHE_ASSIGN_OR_RETURN(const ScalarValue value, ElaborateSource(s, e));
    return ElaborateStore(s, target, e, value, stmt.span());
  }
  const auto* tuple = target.As<ast::Tuple>();
  const auto* values = e.As<ast::Tuple>();
  if (tuple != nullptr && values != nullptr && tuple->elements.size() == values->elements.size()) {
    absl::Status status;
    for (size_t i = 0; i < values->elements.size(); ++i) {
      status.Update(AssignOne(s, stmt, *tuple->elements[i], *values->elements[i]));
    }
    return status;
  }
  // cls = Module
  const auto* alias = target.As<ast::Name>();
  const auto* original = e.As<ast::Name>();
  if (alias != nullptr && original != nullptr && !s.scope().Binds(original->id) &&
      s.el().IsModuleAlias(original->id)) {
    s.el().AddModuleAlias(alias->id);
    return absl::OkStatus();
  }
  LATHE_ASSIGN_OR_RETURN(const bool declared, Declaration(s, target, e));
  if (declared) return absl::OkStatus();
  const auto* call = e.As<ast::Call>();
  const auto function = call == nullptr ? std::nullopt : s.scalars().TirName(*call->callee);
  if (function && IsAxis(*function)) {
    LATHE_ASSIGN_OR_RETURN(const ScalarValue axes, ElaborateAxis(s, e, *function, &target));
    return s.BindTarget(target, axes);
  }
  if (function && ir::IsScopeId(*function)) {
    LATHE_ASSIGN_OR_RETURN(const ScalarValue ids, ElaborateScopeId(s, e, *function, &target));
    return s.BindTarget(target, ids);
  }
  if (function == "meta_var") {
    // A name for what it is given, without a statement.
    LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.scalars().Eval(e));
    return s.BindTarget(target, value);
  }
  LATHE_ASSIGN_OR_RETURN(const std::optional<TirFrame> frame,
                         ElaborateTirFrame(s, e, alias == nullptr ? "v" : alias->id));
  if (frame) {
    if (frame->make) s.Emit(frame->make(nullptr), stmt.span());
    return s.BindTarget(target, frame->value);
  }
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, ElaborateSource(s, e));
  return BindValue(s, stmt, target, e, value);
}

absl::Status AnnotatedLet(StmtElaborator& s, const ast::Stmt& stmt, const ast::AnnAssign& assign,
                          const std::optional<VarType>& type) {
  const absl::string_view name = assign.target->As<ast::Name>()->id;
  if (assign.value == nullptr) {
    return s.el().Error(*assign.target, "let-without-value")
           << "'" << name << "' is immutable and needs a value";
  }
  PrimRef var = type ? MakeVar(s.context(), name, *type) : nullptr;
  LATHE_ASSIGN_OR_RETURN(const PrimRef value, LetValue(s, *assign.value, var));
  if (var == nullptr) var = VariableFor(s.context(), name, value);
  LATHE_RETURN_IF_ERROR(s.BindTarget(*assign.target, var));
  s.Emit(ir::LetStmt{var, value}, stmt.span());
  return absl::OkStatus();
}

// x: T.float32[4, 4]: memory that only this thread sees.
absl::Status LocalBuffer(StmtElaborator& s, const ast::Stmt& stmt, const ast::AnnAssign& assign,
                         DType dtype, const ast::Subscript& extents) {
  const absl::string_view name = assign.target->As<ast::Name>()->id;
  if (assign.value != nullptr) {
    return s.el().Error(*assign.value, "wrong-arguments")
           << "a local buffer cannot have initial values";
  }
  ir::Buffer buffer;
  buffer.name = std::string(name);
  buffer.loc = assign.target->span();
  buffer.dtype = dtype;
  buffer.scope = "local";
  for (const ast::ExprRef extent : extents.indices) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef dim, s.scalars().Scalar(*extent));
    buffer.shape.push_back(dim);
  }
  buffer.data = s.context().NewPointer(name, dtype, "local");
  ir::AllocStmt alloc;
  alloc.buffer = s.context().NewBuffer(std::move(buffer));
  LATHE_RETURN_IF_ERROR(s.BindTarget(*assign.target, alloc.buffer));
  s.Emit(std::move(alloc), stmt.span());
  return absl::OkStatus();
}

absl::Status Annotated(StmtElaborator& s, const ast::Stmt& stmt, const ast::AnnAssign& assign) {
  if (assign.target->As<ast::Name>() == nullptr) {
    return s.el().Error(*assign.target, "wrong-kind-of-value")
           << "only a name can be annotated here";
  }
  const ast::Expr& annotation = *assign.annotation;
  const auto* subscript = annotation.As<ast::Subscript>();
  const ast::Expr& named = subscript != nullptr ? *subscript->object : annotation;
  if (s.scalars().TirName(named) == "let") {
    std::optional<VarType> type;
    if (subscript != nullptr) {
      LATHE_ASSIGN_OR_RETURN(type, ElaborateVarType(s, *subscript->indices.front()));
      if (!type) {
        return s.el().Error(annotation, "wrong-kind-of-value")
               << "T.let[...] needs a type such as T.int32";
      }
    }
    return AnnotatedLet(s, stmt, assign, type);
  }
  LATHE_ASSIGN_OR_RETURN(const auto type, ElaborateVarType(s, annotation));
  if (!type) {
    if (subscript != nullptr) {
      LATHE_ASSIGN_OR_RETURN(const auto element, ElaborateVarType(s, *subscript->object));
      if (element) return LocalBuffer(s, stmt, assign, element->dtype, *subscript);
    }
    return s.el().Error(annotation, "wrong-kind-of-value")
           << "expected a scalar type such as T.int32 or T.let[T.int32]";
  }
  const bool is_mutable =
      s.dialect() == TirDialect::kMutable ||
      (s.dialect() == TirDialect::kFlat &&
       (assign.value == nullptr || s.reassigned().contains(assign.target->As<ast::Name>()->id)));
  if (!is_mutable || type->dtype.is_handle()) return AnnotatedLet(s, stmt, assign, type);
  ScalarValue value;
  if (assign.value != nullptr) {
    LATHE_ASSIGN_OR_RETURN(value, ElaborateSource(s, *assign.value));
  }
  return NewMutable(s, stmt, *assign.target, type->dtype, assign.value, value);
}

void CountAssigned(ast::Block body, absl::flat_hash_map<absl::string_view, int>& counts) {
  const auto count = [&counts](const ast::Expr& target, int times) {
    if (const auto* name = target.As<ast::Name>()) counts[name->id] += times;
  };
  for (const ast::StmtRef stmt : body) {
    if (const auto* assign = stmt->As<ast::Assign>()) {
      for (const ast::ExprRef target : assign->targets) count(*target, 1);
    } else if (const auto* annotated = stmt->As<ast::AnnAssign>()) {
      count(*annotated->target, 1);
    } else if (const auto* changed = stmt->As<ast::AugAssign>()) {
      count(*changed->target, 2);
    } else if (const auto* choice = stmt->As<ast::If>()) {
      CountAssigned(choice->then_body, counts);
      CountAssigned(choice->else_body, counts);
    } else if (const auto* loop = stmt->As<ast::For>()) {
      CountAssigned(loop->body, counts);
    } else if (const auto* loop = stmt->As<ast::While>()) {
      CountAssigned(loop->body, counts);
    } else if (const auto* with = stmt->As<ast::With>()) {
      CountAssigned(with->body, counts);
    }
  }
}

}  // namespace

absl::flat_hash_set<absl::string_view> ReassignedNames(ast::Block body) {
  absl::flat_hash_map<absl::string_view, int> counts;
  CountAssigned(body, counts);
  absl::flat_hash_set<absl::string_view> out;
  for (const auto& [name, times] : counts) {
    if (times > 1) out.insert(name);
  }
  return out;
}

absl::StatusOr<PrimRef> LetValue(StmtElaborator& s, const ast::Expr& e, PrimRef var) {
  LATHE_ASSIGN_OR_RETURN(ScalarValue value, ElaborateSource(s, e));
  if (const auto* text = value.As<std::string>()) value = s.context().String(*text);
  LATHE_ASSIGN_OR_RETURN(const PrimRef scalar, ToScalar(s.el(), e, value, DType::Int(32)));
  if (var == nullptr || var->dtype() == scalar->dtype()) return scalar;
  const bool bare = value.is_number() || value.As<bool>() != nullptr;
  if (bare && !var->dtype().is_handle()) return Convert(s.context(), var->dtype(), scalar);
  if (scalar->dtype().is_void()) return scalar;
  return s.el().Error(e, "scalar-type-mismatch")
         << "the variable has dtype " << ir::ToString(var->dtype()) << ", but its value has dtype "
         << ir::ToString(scalar->dtype());
}

PrimRef VariableFor(ir::Context& context, absl::string_view name, PrimRef value) {
  if (!value->dtype().is_handle()) return context.NewVar(name, value->dtype());
  const auto* source = value->As<ir::SymVar>();
  if (source == nullptr) return context.NewPointer(name, DType::Void(), "");
  return context.NewPointer(name, source->pointee, source->scope);
}

void ElaborateTirAssign(StmtElaborator& s, const ast::Stmt& stmt, const ast::Assign& assign) {
  if (assign.targets.size() != 1) {
    s.el().diags().Unsupported(stmt.span(), "host-python")
        << "chained assignment is not supported; write one assignment for each target";
    for (const ast::ExprRef target : assign.targets) s.BindFailed(*target);
    return;
  }
  const ast::Expr& target = *assign.targets.front();
  if (!AssignOne(s, stmt, target, *assign.value).ok()) {
    const auto* name = target.As<ast::Name>();
    if (name == nullptr || !s.scope().Binds(name->id)) s.BindFailed(target);
  }
}

void ElaborateTirAnnAssign(StmtElaborator& s, const ast::Stmt& stmt, const ast::AnnAssign& assign) {
  if (!Annotated(s, stmt, assign).ok()) s.BindFailed(*assign.target);
}

void ElaborateTirAugAssign(StmtElaborator& s, const ast::Stmt& stmt, const ast::AugAssign& assign) {
  const auto apply = [&]() -> absl::Status {
    LATHE_ASSIGN_OR_RETURN(const ScalarValue before, ElaborateSource(s, *assign.target));
    LATHE_ASSIGN_OR_RETURN(const ScalarValue operand, ElaborateSource(s, *assign.value));
    LATHE_ASSIGN_OR_RETURN(const ScalarValue value, ApplyBinary(s.el(), *assign.value, assign.op,
                                                                before, operand, DType::Int(32)));
    if (assign.target->As<ast::Subscript>() != nullptr) {
      return ElaborateStore(s, *assign.target, *assign.value, value, stmt.span());
    }
    const auto* name = assign.target->As<ast::Name>();
    const ir::BufferRef buffer = name == nullptr ? nullptr : MutableScalar(s, name->id);
    if (buffer == nullptr) {
      return s.el().Error(*assign.target, "name-redefined")
             << "an immutable scalar cannot be assigned; store to a buffer";
    }
    return StoreScalar(s, *assign.value, buffer, value, stmt.span());
  };
  apply().IgnoreError();
}

}  // namespace lathe::relax_text
