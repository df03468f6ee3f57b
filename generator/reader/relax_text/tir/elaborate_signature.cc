#include "generator/reader/relax_text/tir/elaborate_signature.h"

#include <algorithm>

#include "generator/reader/relax_text/tir/elaborate_buffer.h"
#include "generator/reader/relax_text/tir/scalar_calls.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;

// Returns the types of the scalar parameters. Quoted dimensions that use such a name before the
// parameter get the same type.
absl::flat_hash_map<absl::string_view, DType> ScalarParams(StmtElaborator& s,
                                                           const ast::FunctionDef& def) {
  absl::flat_hash_map<absl::string_view, DType> types;
  for (const ast::Param& param : def.params) {
    if (param.annotation == nullptr) continue;
    const auto name = s.scalars().TirName(*param.annotation);
    if (!name) continue;
    const auto dtype = TypeNamed(*name);
    if (dtype && !dtype->is_handle()) types.emplace(param.name, *dtype);
  }
  return types;
}

// Returns the names of the parameters and of the variables that the body declares: n = T.int32(),
// or m, n = T.int32(), T.int32().
absl::flat_hash_set<absl::string_view> OwnNames(StmtElaborator& s, const ast::FunctionDef& def) {
  absl::flat_hash_set<absl::string_view> names;
  for (const ast::Param& param : def.params) names.insert(param.name);
  const auto declare = [&](const ast::Expr& target, const ast::Expr& value) {
    const auto* name = target.As<ast::Name>();
    const auto* call = value.As<ast::Call>();
    if (name == nullptr || call == nullptr || !call->args.empty()) return;
    const auto function = s.scalars().TirName(*call->callee);
    if (function && TypeNamed(*function)) names.insert(name->id);
  };
  for (const ast::StmtRef stmt : def.body) {
    const auto* assign = stmt->As<ast::Assign>();
    if (assign == nullptr || assign->targets.size() != 1) continue;
    const ast::Expr& target = *assign->targets[0];
    declare(target, *assign->value);
    const auto* targets = target.As<ast::Tuple>();
    const auto* values = assign->value->As<ast::Tuple>();
    if (targets == nullptr || values == nullptr) continue;
    const size_t count = std::min(targets->elements.size(), values->elements.size());
    for (size_t i = 0; i < count; ++i) declare(*targets->elements[i], *values->elements[i]);
  }
  return names;
}

// Elaborates T.Buffer[(16,), "float32"], the older spelling of T.Buffer((16,), "float32").
absl::StatusOr<ir::BufferRef> SubscriptBuffer(StmtElaborator& s, const ast::Expr& e,
                                              const ast::Subscript& subscript,
                                              absl::string_view name) {
  ast::ExprList items = subscript.indices;
  ir::Buffer buffer;
  buffer.name = std::string(name);
  buffer.loc = e.span();
  buffer.dtype = DType::Float(32);
  if (items.size() == 2 && items[1]->As<ast::Str>() != nullptr) {
    LATHE_ASSIGN_OR_RETURN(buffer.dtype, s.scalars().Type(*items[1]));
    LATHE_ASSIGN_OR_RETURN(buffer.shape, ElaborateShape(s, *items[0]));
  } else {
    for (const ast::ExprRef item : items) {
      LATHE_ASSIGN_OR_RETURN(const std::vector<PrimRef> dims, ElaborateShape(s, *item));
      buffer.shape.insert(buffer.shape.end(), dims.begin(), dims.end());
    }
  }
  buffer.data = s.context().NewPointer(name, buffer.dtype, "global");
  return s.context().NewBuffer(std::move(buffer));
}

absl::Status ElaborateParam(StmtElaborator& s, const ast::Param& param) {
  if (param.kind != ast::ParamKind::kPlain || param.default_value != nullptr) {
    return s.el().diags().Error(param.name_span, "prim-func-parameter")
           << "parameters of a PrimFunc must be plain, without defaults and '*'";
  }
  if (param.annotation == nullptr) {
    return s.el().diags().Error(param.name_span, "prim-func-parameter")
           << "the parameter '" << param.name << "' needs a type";
  }
  const ast::Expr& annotation = *param.annotation;
  LATHE_ASSIGN_OR_RETURN(const ir::BufferRef buffer,
                         ElaborateBufferType(s, annotation, param.name));
  if (buffer != nullptr) {
    const PrimRef handle = s.context().NewPointer(param.name, DType::Void(), "");
    s.func().params.push_back({handle, buffer, param.name_span});
    return s.BindTarget(*s.el().tree().Add(param.name_span, ast::Name{param.name}),
                        ScalarValue(buffer));
  }
  LATHE_ASSIGN_OR_RETURN(const std::optional<VarType> type, ElaborateVarType(s, annotation));
  if (!type) {
    return s.el().Error(annotation, "prim-func-parameter")
           << "the type of a parameter must be T.Buffer(...), T.handle or a scalar type such as "
              "T.int32";
  }
  // An earlier quoted dimension may have created the variable already.
  const TirScope::Entry* before = s.scope().FindInnermost(param.name);
  const PrimRef* known = before == nullptr ? nullptr : before->value.As<PrimRef>();
  if (known != nullptr && (*known)->As<ir::SymVar>() != nullptr &&
      (*known)->dtype() == type->dtype) {
    for (const ir::PrimParam& other : s.func().params) {
      if (other.var == *known) known = nullptr;
      if (known == nullptr) break;
    }
    if (known != nullptr) {
      s.func().params.push_back({*known, nullptr, param.name_span});
      return absl::OkStatus();
    }
  }
  const PrimRef var = MakeVar(s.context(), param.name, *type);
  s.func().params.push_back({var, nullptr, param.name_span});
  return s.BindTarget(*s.el().tree().Add(param.name_span, ast::Name{param.name}), ScalarValue(var));
}

}  // namespace

PrimRef MakeVar(ir::Context& context, absl::string_view name, const VarType& type) {
  if (type.dtype.is_handle()) return context.NewPointer(name, type.pointee, type.scope);
  return context.NewVar(name, type.dtype);
}

absl::StatusOr<std::optional<VarType>> ElaborateVarType(StmtElaborator& s, const ast::Expr& e) {
  const auto* call = e.As<ast::Call>();
  const auto* subscript = e.As<ast::Subscript>();
  const ast::Expr& named = call != nullptr        ? *call->callee
                           : subscript != nullptr ? *subscript->object
                                                  : e;
  std::optional<DType> dtype;
  if (const auto name = s.scalars().TirName(named)) {
    dtype = TypeNamed(*name);
  } else if (const auto* plain = e.As<ast::Name>();
             plain != nullptr && !s.scope().Binds(plain->id)) {
    if (plain->id == "int") dtype = DType::Int(32);
    if (plain->id == "float") dtype = DType::Float(32);
    if (plain->id == "bool") dtype = DType::Bool();
  }
  if (!dtype) return std::optional<VarType>();
  VarType type{*dtype, DType::Void(), ""};
  if (!type.dtype.is_handle()) {
    const bool empty_call = call != nullptr && call->args.empty() && call->keywords.empty();
    if (subscript != nullptr || (call != nullptr && !empty_call)) return std::optional<VarType>();
    return std::optional<VarType>(type);
  }
  // T.handle("float32", "shared"), T.Ptr[T.float32, "shared"].
  const ast::Expr* pointee = nullptr;
  const ast::Expr* scope = nullptr;
  if (call != nullptr) {
    LATHE_ASSIGN_OR_RETURN(
        const auto args,
        CallArguments::Bind(s.el(), e, "T.handle", "dtype? storage_scope? is_size_var?"));
    pointee = args.GetUnlessNone("dtype");
    scope = args.GetUnlessNone("storage_scope");
  } else if (subscript != nullptr) {
    pointee = subscript->indices.front();
    if (subscript->indices.size() > 1) scope = subscript->indices[1];
  }
  if (pointee != nullptr) {
    LATHE_ASSIGN_OR_RETURN(type.pointee, s.scalars().Type(*pointee));
    type.scope = "global";
  }
  if (scope != nullptr) {
    LATHE_ASSIGN_OR_RETURN(type.scope, s.scalars().String(*scope));
  }
  return std::optional<VarType>(std::move(type));
}

absl::StatusOr<ir::BufferRef> ElaborateBufferType(StmtElaborator& s, const ast::Expr& e,
                                                  absl::string_view name) {
  if (const auto* subscript = e.As<ast::Subscript>()) {
    if (s.scalars().TirName(*subscript->object) != "Buffer") return nullptr;
    return SubscriptBuffer(s, e, *subscript, name);
  }
  const auto* call = e.As<ast::Call>();
  if (call == nullptr) return nullptr;
  const auto function = s.scalars().TirName(*call->callee);
  if (function != "Buffer" && function != "buffer_decl" && function != "buffer") return nullptr;
  LATHE_ASSIGN_OR_RETURN(
      const auto args,
      CallArguments::Bind(s.el(), e, "T.Buffer", absl::StrCat("shape ", kBufferParameters)));
  return ElaborateBuffer(s, e, args, name);
}

void ElaborateSignature(StmtElaborator& s, const ast::FunctionDef& def) {
  for (const ast::TypeParam& param : def.type_params) {
    if (param.stars != 0) {
      s.el().diags().Error(param.name_span, "prim-func-parameter")
          << "a type parameter of a PrimFunc must be a plain name, for one dimension";
    }
    s.scope().Bind(param.name, s.context().NewVar(param.name, DType::Int(64)), param.name_span);
  }
  const auto scalar_params = ScalarParams(s, def);
  s.scope().set_own_names(OwnNames(s, def), !def.type_params.empty());
  s.scope().set_quoted_type([&scalar_params](absl::string_view name) {
    const auto it = scalar_params.find(name);
    return it == scalar_params.end() ? DType::Int(32) : it->second;
  });
  for (const ast::Param& param : def.params) {
    if (!ElaborateParam(s, param).ok()) {
      s.scope().BindFailed(param.name, param.name_span);
      s.func().params.push_back(
          {s.context().NewVar(param.name, DType::Handle()), nullptr, param.name_span});
    }
  }
  s.scope().set_quoted_type(nullptr);
  if (def.return_annotation == nullptr || IsNone(*def.return_annotation)) return;
  const auto type = ElaborateVarType(s, *def.return_annotation);
  if (!type.ok()) return;
  if (!*type) {
    s.el().Error(*def.return_annotation, "prim-func-parameter")
        << "the return type of a PrimFunc must be None or a scalar type such as T.int32";
    return;
  }
  if (!(*type)->dtype.is_void()) s.func().ret = (*type)->dtype;
}

}  // namespace lathe::relax_text
