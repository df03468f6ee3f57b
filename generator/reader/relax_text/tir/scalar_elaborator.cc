#include "generator/reader/relax_text/tir/scalar_elaborator.h"

#include "absl/strings/str_cat.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/elaboration/written_size.h"
#include "generator/reader/relax_text/syntax/limits.h"
#include "generator/reader/relax_text/tir/scalar_calls.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/reader/relax_text/tir/scalar_device_calls.h"
#include "generator/reader/relax_text/tir/scalar_members.h"
#include "generator/reader/relax_text/tir/scalar_operators.h"
#include "generator/reader/relax_text/tir/scalar_slices.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;

// The name that a chain of attributes, a.b.c, starts with.
const ast::Expr& RootOf(const ast::Expr& e) {
  const ast::Expr* at = &e;
  while (const auto* attribute = at->As<ast::Attribute>()) at = attribute->object;
  return *at;
}

absl::Status HostPythonInScalar(Elaboration& el, const ast::Expr& e) {
  return el.Unsupported(e, "host-python")
         << ast::Describe(e) << " is not supported: programs are parsed, not run";
}

}  // namespace

absl::StatusOr<ScalarValue> ScalarElaborator::Eval(const ast::Expr& e) {
  absl::StatusOr<ScalarValue> value = EvalNode(e);
  if (!value.ok()) return value;
  const PrimRef* scalar = value->As<PrimRef>();
  if (scalar != nullptr && (*scalar)->depth() > ir::kMaxScalarDepth) {
    return el_.diags().LimitExceeded(e.span(), "limit-expression-depth")
           << "an expression is at most " << ir::kMaxScalarDepth << " operations deep, got "
           << (*scalar)->depth();
  }
  const bool alias = e.As<ast::Name>() != nullptr || e.As<ast::Attribute>() != nullptr ||
                     e.As<ast::Subscript>() != nullptr;
  if (scalar != nullptr && alias && (*scalar)->depth() > 2) {
    // A name is not expanded again: a short text could mean one too large to walk over.
    if (WrittenSize(*scalar, kMaxScalarNodes) > kMaxScalarNodes) {
      return el_.diags().LimitExceeded(e.span(), "limit-scalar-size")
             << "this name expands to more than " << kMaxScalarNodes << " operations";
    }
  }
  return value;
}

absl::StatusOr<ScalarValue> ScalarElaborator::EvalNode(const ast::Expr& e) {
  using Result = absl::StatusOr<ScalarValue>;
  return Match(
      e.node(), [&](const ast::Name& n) -> Result { return EvalName(e, n); },
      [&](const ast::Int& n) -> Result {
        if (!n.fits) return AlreadyDiagnosed();
        return ScalarValue(ScalarValue::Node(absl::int128(n.value)));
      },
      [&](const ast::Float& n) -> Result { return ScalarValue(ScalarValue::Node(n.value)); },
      [&](const ast::Str& n) -> Result {
        return ScalarValue(ScalarValue::Node(std::string(n.value)));
      },
      [&](const ast::Constant& n) -> Result {
        if (n.kind == ast::Constant::Kind::kNone) return ScalarValue();
        return ScalarValue(ScalarValue::Node(n.kind == ast::Constant::Kind::kTrue));
      },
      [&](const ast::Ellipsis&) -> Result { return HostPythonInScalar(el_, e); },
      [&](const ast::Tuple& n) -> Result {
        LATHE_ASSIGN_OR_RETURN(ScalarList items, EvalList(n.elements));
        return MakeList(std::move(items));
      },
      [&](const ast::List& n) -> Result {
        LATHE_ASSIGN_OR_RETURN(ScalarList items, EvalList(n.elements));
        return MakeList(std::move(items));
      },
      [&](const ast::Set&) -> Result { return HostPythonInScalar(el_, e); },
      [&](const ast::Dict& n) -> Result { return EvalDict(n); },
      [&](const ast::Attribute& n) -> Result { return EvalAttribute(e, n); },
      [&](const ast::Call& n) -> Result { return EvalCall(e, n); },
      [&](const ast::Subscript& n) -> Result {
        const std::optional<std::string> tir = TirName(*n.object);
        if (tir == "S" || tir == "R") return EvalLayoutSpec(*this, e, *tir);
        return EvalSubscript(*this, e, n);
      },
      [&](const ast::Slice&) -> Result { return HostPythonInScalar(el_, e); },
      [&](const ast::Unary& n) -> Result {
        LATHE_ASSIGN_OR_RETURN(const ScalarValue value, Eval(*n.operand));
        return ApplyUnary(el_, e, n.op, value, int_dtype_);
      },
      [&](const ast::Binary& n) -> Result {
        LATHE_ASSIGN_OR_RETURN(const ScalarValue lhs, Eval(*n.lhs));
        LATHE_ASSIGN_OR_RETURN(const ScalarValue rhs, Eval(*n.rhs));
        return ApplyBinary(el_, e, n.op, lhs, rhs, int_dtype_);
      },
      [&](const ast::BoolOp& n) -> Result {
        LATHE_ASSIGN_OR_RETURN(ScalarValue value, Eval(*n.values.front()));
        for (const ast::ExprRef next : n.values.subspan(1)) {
          LATHE_ASSIGN_OR_RETURN(const ScalarValue rhs, Eval(*next));
          LATHE_ASSIGN_OR_RETURN(value, ApplyBool(el_, e, n.op, value, rhs, int_dtype_));
        }
        return value;
      },
      [&](const ast::Compare& n) -> Result { return EvalCompare(e, n); },
      [&](const ast::IfExp& n) -> Result { return EvalIfExp(e, n); },
      [&](const ast::Lambda&) -> Result {
        return el_.Error(e, "wrong-kind-of-value")
               << "a lambda is allowed only in T.comm_reducer and T.index_map";
      },
      [&](const ast::Starred&) -> Result { return HostPythonInScalar(el_, e); },
      [&](const ast::Comprehension&) -> Result { return HostPythonInScalar(el_, e); },
      [&](const ast::FString&) -> Result { return HostPythonInScalar(el_, e); },
      [&](const ast::UnsupportedExpr&) -> Result { return HostPythonInScalar(el_, e); });
}

bool ScalarElaborator::IsBound(const ast::Expr& e) {
  const auto* root = RootOf(e).As<ast::Name>();
  if (root == nullptr) return true;
  for (const auto& [name, var] : lambda_params_) {
    if (name == root->id) return true;
  }
  return scope_.Binds(root->id);
}

std::optional<std::string> ScalarElaborator::TirName(const ast::Expr& callee) {
  if (const auto* subscript = callee.As<ast::Subscript>()) {
    // T.ptx["ld.global.b32"]
    const std::optional<std::string> space = TirName(*subscript->object);
    const auto* text =
        subscript->indices.size() == 1 ? subscript->indices.front()->As<ast::Str>() : nullptr;
    if (space != "ptx" || text == nullptr) return std::nullopt;
    return absl::StrCat("ptx.", text->value);
  }
  if (IsBound(callee)) return std::nullopt;
  const std::optional<Qualified> name = el_.namespaces().Qualify(callee);
  if (!name || name->name.empty()) return std::nullopt;
  if (name->space == Space::kTir) return name->name;
  if (name->space == Space::kTvm && name->name == "target.Target") return "target";
  // I.Range and tvm.ir.Range are T.Range, I.meta_var is T.meta_var.
  if (name->space == Space::kIr && (name->name == "Range" || name->name == "meta_var")) {
    return name->name;
  }
  return std::nullopt;
}

absl::StatusOr<ScalarValue> ScalarElaborator::EvalName(const ast::Expr& e, const ast::Name& name) {
  for (auto it = lambda_params_.rbegin(); it != lambda_params_.rend(); ++it) {
    if (it->first == name.id) return ScalarValue(it->second);
  }
  if (!scope_.Binds(name.id)) {
    // A function or type that was imported by itself, or a built-in type as an argument.
    if (const std::optional<std::string> tir = TirName(e)) return EvalTirName(*this, e, *tir);
    if (name.id == "bool") return ScalarValue::Node(TypeName{DType::Bool()});
    if (name.id == "int") return ScalarValue::Node(TypeName{DType::Int(32)});
    if (name.id == "float") return ScalarValue::Node(TypeName{DType::Float(32)});
  }
  return scope_.ResolveValue(e);
}

absl::StatusOr<ScalarValue> ScalarElaborator::EvalAttribute(const ast::Expr& e,
                                                            const ast::Attribute& a) {
  if (const std::optional<std::string> tir = TirName(e)) return EvalTirName(*this, e, *tir);
  if (!IsBound(e)) {
    if (const std::optional<Qualified> name = el_.namespaces().Qualify(e)) {
      return el_.Unsupported(e, "host-python")
             << "'" << *ast::DottedName(e) << "' cannot be used in a scalar expression";
    }
  }
  LATHE_ASSIGN_OR_RETURN(const ScalarValue object, Eval(*a.object));
  return EvalMember(*this, e, object, a);
}

absl::StatusOr<ScalarValue> ScalarElaborator::EvalCall(const ast::Expr& e, const ast::Call& call) {
  if (const std::optional<std::string> tir = TirName(*call.callee)) {
    return EvalTirCall(*this, e, *tir);
  }
  if (const std::optional<Elaboration::Member> member = el_.ModuleMember(*call.callee)) {
    return EvalGlobalCall(*this, e, *member);
  }
  if (const auto* name = call.callee->As<ast::Name>(); name != nullptr && !IsBound(*call.callee)) {
    return EvalBuiltin(e, name->id);
  }
  if (const auto* attribute = call.callee->As<ast::Attribute>(); attribute != nullptr) {
    if (!IsBound(*call.callee) && el_.namespaces().Qualify(*call.callee)) {
      return el_.Unsupported(*call.callee, "host-python")
             << "'" << *ast::DottedName(*call.callee)
             << "' is not supported: programs are parsed, not run";
    }
    LATHE_ASSIGN_OR_RETURN(const ScalarValue object, Eval(*attribute->object));
    return EvalMethod(*this, e, object, *attribute);
  }
  return el_.Error(*call.callee, "unknown-function")
         << ast::Describe(*call.callee) << " cannot be called here";
}

absl::StatusOr<ScalarValue> ScalarElaborator::EvalBuiltin(const ast::Expr& e,
                                                          absl::string_view name) {
  if (name == "len") {
    LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(el_, e, "len", "of"));
    LATHE_ASSIGN_OR_RETURN(const ScalarValue list, Eval(args["of"]));
    if (list.list() != nullptr) return ScalarValue::Node(absl::int128(list.list()->size()));
  }
  if (name == "float" || name == "int" || name == "bool") {
    LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(el_, e, name, "value"));
    LATHE_ASSIGN_OR_RETURN(const ScalarValue value, Eval(args["value"]));
    return ConvertBuiltin(*this, e, name, value);
  }
  return el_.Unsupported(e, "host-python")
         << "'" << name << "' is neither a function of the module nor of T";
}

absl::StatusOr<ScalarList> ScalarElaborator::EvalList(ast::ExprList items) {
  ScalarList out;
  for (const ast::ExprRef item : items) {
    LATHE_ASSIGN_OR_RETURN(ScalarValue value, Eval(*item));
    out.push_back(std::move(value));
  }
  return out;
}

absl::StatusOr<ScalarValue> ScalarElaborator::EvalDict(const ast::Dict& dict) {
  auto map = std::make_shared<ir::AttrMap>();
  for (const ast::DictItem& item : dict.items) {
    if (item.key == nullptr) return HostPythonInScalar(el_, *item.value);
    LATHE_ASSIGN_OR_RETURN(const std::string key, String(*item.key));
    LATHE_ASSIGN_OR_RETURN(ir::AttrValue value, Attr(*item.value));
    if (!map->emplace(key, std::move(value)).second) {
      return el_.Error(*item.key, "duplicate-attribute")
             << "the attribute '" << key << "' is specified more than once";
    }
  }
  return ScalarValue::Node(std::shared_ptr<const ir::AttrMap>(std::move(map)));
}

absl::StatusOr<ScalarValue> ScalarElaborator::EvalCompare(const ast::Expr& e,
                                                          const ast::Compare& compare) {
  LATHE_ASSIGN_OR_RETURN(ScalarValue lhs, Eval(*compare.first));
  std::optional<ScalarValue> all;
  for (const ast::Comparison& comparison : compare.rest) {
    LATHE_ASSIGN_OR_RETURN(ScalarValue rhs, Eval(*comparison.operand));
    LATHE_ASSIGN_OR_RETURN(ScalarValue one,
                           ApplyCompare(el_, e, comparison.op, lhs, rhs, int_dtype_));
    if (all) {
      LATHE_ASSIGN_OR_RETURN(one, ApplyBool(el_, e, ast::BoolOpKind::kAnd, *all, one, int_dtype_));
    }
    all = std::move(one);
    lhs = std::move(rhs);
  }
  return *all;
}

absl::StatusOr<ScalarValue> ScalarElaborator::EvalIfExp(const ast::Expr& e,
                                                        const ast::IfExp& choice) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue condition, Eval(*choice.condition));
  if (const bool* truth = condition.As<bool>()) {
    return Eval(*truth ? *choice.then_value : *choice.else_value);
  }
  LATHE_ASSIGN_OR_RETURN(const PrimRef cond,
                         ToScalar(el_, *choice.condition, condition, int_dtype_));
  LATHE_ASSIGN_OR_RETURN(PrimRef then_value, Scalar(*choice.then_value));
  LATHE_ASSIGN_OR_RETURN(PrimRef else_value, Scalar(*choice.else_value));
  if (!MatchTypes(context(), then_value, else_value)) {
    return el_.Error(e, "scalar-type-mismatch")
           << "the two values of the conditional expression have different dtypes, "
           << ir::ToString(then_value->dtype()) << " and " << ir::ToString(else_value->dtype());
  }
  return ScalarValue(
      context().MakeIntrinsic(then_value->dtype(), "if_then_else", {cond, then_value, else_value}));
}

absl::StatusOr<PrimRef> ScalarElaborator::Scalar(const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, Eval(e));
  return ToScalar(el_, e, value, int_dtype_);
}

absl::StatusOr<PrimRef> ScalarElaborator::Argument(const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, Eval(e));
  return ToArgument(el_, e, value, int_dtype_);
}

absl::StatusOr<std::vector<PrimRef>> ScalarElaborator::Scalars(const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, Eval(e));
  std::vector<PrimRef> out;
  if (value.list() == nullptr) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef one, ToScalar(el_, e, value, int_dtype_));
    out.push_back(one);
    return out;
  }
  for (const ScalarValue& item : *value.list()) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef one, ToScalar(el_, e, item, int_dtype_));
    out.push_back(one);
  }
  return out;
}

absl::StatusOr<std::vector<PrimRef>> ScalarElaborator::Arguments(
    const std::vector<ast::ExprRef>& list) {
  std::vector<PrimRef> out;
  for (const ast::ExprRef item : list) {
    LATHE_ASSIGN_OR_RETURN(const PrimRef one, Argument(*item));
    out.push_back(one);
  }
  return out;
}

absl::StatusOr<ir::AttrValue> ScalarElaborator::Attr(const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, Eval(e));
  return ToAttr(el_, e, value);
}

absl::StatusOr<DType> ScalarElaborator::Type(const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, Eval(e));
  return ToDType(el_, e, value);
}

absl::StatusOr<std::string> ScalarElaborator::String(const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, Eval(e));
  return ToString(el_, e, value);
}

absl::StatusOr<int64_t> ScalarElaborator::Int(const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, Eval(e));
  return ToInt(el_, e, value);
}

absl::StatusOr<bool> ScalarElaborator::Bool(const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, Eval(e));
  return ToBool(el_, e, value);
}

absl::StatusOr<ScalarElaborator::Lambda> ScalarElaborator::EvalLambda(
    const ast::Expr& e, const std::vector<DType>& dtypes, DType int_dtype) {
  const auto* lambda = e.As<ast::Lambda>();
  if (lambda == nullptr) {
    return el_.Error(e, "wrong-kind-of-value") << "expected a lambda, got " << ast::Describe(e);
  }
  Lambda out;
  for (const ast::Param& param : lambda->params) {
    if (param.kind != ast::ParamKind::kPlain || param.default_value != nullptr) {
      return el_.Unsupported(e, "host-python") << "a lambda must have plain parameters only";
    }
    const DType dtype = out.params.size() < dtypes.size() ? dtypes[out.params.size()] : int_dtype;
    out.params.push_back(context().NewVar(param.name, dtype));
  }
  const size_t outer = lambda_params_.size();
  for (size_t i = 0; i < out.params.size(); ++i) {
    lambda_params_.emplace_back(lambda->params[i].name, out.params[i]);
  }
  const DType outer_dtype = std::exchange(int_dtype_, int_dtype);
  absl::StatusOr<ScalarValue> result = Eval(*lambda->body);
  int_dtype_ = outer_dtype;
  lambda_params_.resize(outer);
  if (!result.ok()) return result.status();
  out.result = *std::move(result);
  return out;
}

}  // namespace lathe::relax_text
