#include "generator/reader/relax_text/tir/scalar_calls.h"

#include <cmath>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "generator/ir/device_intrinsic.h"
#include "generator/ir/intrinsic.h"
#include "generator/reader/relax_text/elaboration/call_arguments.h"
#include "generator/reader/relax_text/elaboration/scalar_types.h"
#include "generator/reader/relax_text/tir/scalar_convert.h"
#include "generator/reader/relax_text/tir/scalar_device_calls.h"
#include "generator/reader/relax_text/tir/scalar_nodes.h"
#include "generator/reader/relax_text/tir/scalar_objects.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"

namespace lathe::relax_text {
namespace {

using ir::DType;
using ir::PrimRef;
using ScalarResult = absl::StatusOr<ScalarValue>;

// Alternative names of functions of T.
struct Alias {
  absl::string_view alias;
  absl::string_view name;
};
constexpr Alias kAliases[] = {
    {"fabs", "abs"},
    {"power", "pow"},
    {"tvm_call_packed", "call_packed"},
    {"tvm_call_cpacked", "call_cpacked"},
    {"tvm_call_packed_lowered", "call_packed_lowered"},
    {"tvm_call_cpacked_lowered", "call_cpacked_lowered"},
    {"tvm_call_trace_packed", "call_trace_packed"},
    {"tvm_call_trace_packed_lowered", "call_trace_packed_lowered"},
};

absl::string_view CanonicalName(absl::string_view name) {
  for (const Alias& known : kAliases) {
    if (known.alias == name) return known.name;
  }
  return name;
}

// Functions that TVM runs when Python reads the program. They cannot be evaluated from the text.
constexpr absl::string_view kHostNames[] = {"inline",
                                            "macro",
                                            "constexpr",
                                            "jit",
                                            "meta_class",
                                            "static_assert",
                                            "call_kernel",
                                            "scope_id",
                                            "elected",
                                            "Layout",
                                            "wg_reg_tile",
                                            "alloc_cast_frag",
                                            "alloc_tcgen05_ldst_frag",
                                            "add_to_parent",
                                            "Optional",
                                            "register_script_namespace"};

bool IsHostName(absl::string_view name) {
  for (absl::string_view known : kHostNames) {
    if (known == name) return true;
  }
  return absl::StartsWith(name, "trn.");
}

absl::Status UnknownScalarCall(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  if (IsHostName(name)) {
    return s.el().Unsupported(e, "host-python")
           << "T." << name
           << " is evaluated by Python when it parses the program, which is not supported";
  }
  std::vector<absl::string_view> names = NodeNames();
  const std::vector<absl::string_view> objects = ObjectNames();
  names.insert(names.end(), objects.begin(), objects.end());
  for (const ir::IntrinsicInfo& info : ir::AllIntrinsics()) names.push_back(info.name);
  if (absl::string_view primitive = name; absl::ConsumePrefix(&primitive, "tile.")) {
    return s.el().Error(e, "unknown-function") << "unknown tile primitive '" << primitive << "'"
                                               << DidYouMean(primitive, ir::TilePrimitives());
  }
  return s.el().Error(e, "unknown-function")
         << "T has no function '" << name << "'" << DidYouMean(name, names);
}

// T.int64(4), T.float32("inf"), T.int32(x): a number of that type, or a conversion to it.
ScalarResult TypeCall(ScalarElaborator& s, const ast::Expr& e, absl::string_view name,
                      DType dtype) {
  if (dtype.is_handle()) {
    LATHE_ASSIGN_OR_RETURN(
        const auto args,
        CallArguments::Bind(s.el(), e, "T.handle", "dtype? storage_scope? is_size_var?"));
    DType pointee = DType::Void();
    std::string scope = "global";
    if (const ast::Expr* type = args.GetUnlessNone("dtype")) {
      LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.Eval(*type));
      if (value.As<PrimRef>() != nullptr) return value;
      LATHE_ASSIGN_OR_RETURN(pointee, ToDType(s.el(), *type, value));
    }
    if (const ast::Expr* where = args.GetUnlessNone("storage_scope")) {
      LATHE_ASSIGN_OR_RETURN(scope, s.String(*where));
    }
    return ScalarValue(s.context().NewPointer("p", pointee, scope));
  }
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, name, "expr? is_size_var?"));
  const ast::Expr* argument = args.GetUnlessNone("expr");
  if (argument == nullptr) return ScalarValue(s.context().NewVar("v", dtype));
  LATHE_ASSIGN_OR_RETURN(const ScalarValue value, s.Eval(*argument));
  PrimRef made = nullptr;
  if (const auto* whole = value.As<absl::int128>()) {
    made = MakeNumber(s.context(), dtype, *whole);
  } else if (const double* real = value.As<double>()) {
    made = MakeNumber(s.context(), dtype, *real);
  } else if (const bool* truth = value.As<bool>()) {
    made = MakeNumber(s.context(), dtype, absl::int128(*truth ? 1 : 0));
  } else if (const auto* text = value.As<std::string>()) {
    double parsed = 0;
    if (dtype.is_floating() && absl::SimpleAtod(*text, &parsed)) {
      made = MakeNumber(s.context(), dtype, parsed);
    }
  } else {
    LATHE_ASSIGN_OR_RETURN(const PrimRef scalar, ToScalar(s.el(), *argument, value, s.int_dtype()));
    return ScalarValue(Convert(s.context(), dtype, scalar));
  }
  if (made != nullptr) return ScalarValue(made);
  return s.el().Error(*argument, "number-out-of-range")
         << "the value is not a number of dtype " << ir::ToString(dtype);
}

absl::Status CheckCount(ScalarElaborator& s, const ast::Expr& e, absl::string_view name,
                        size_t count) {
  const ir::IntrinsicInfo* info = ir::FindIntrinsic(name);
  if (info == nullptr) return absl::OkStatus();
  const int got = static_cast<int>(count);
  if (got >= info->min_args && (info->max_args < 0 || got <= info->max_args)) {
    return absl::OkStatus();
  }
  const bool exact = info->min_args == info->max_args;
  return s.el().Error(e, "wrong-arguments")
         << "T." << name << " takes "
         << (exact                  ? ""
             : got < info->min_args ? "at least "
                                    : "at most ")
         << (got < info->min_args ? info->min_args : info->max_args)
         << (info->result == ir::ResultType::kGiven ? " arguments after the type, got "
                                                    : " arguments, got ")
         << got;
}

// Returns a load of the first element if `argument` is a whole buffer, for address_of.
PrimRef FirstElement(ir::Context& context, PrimRef argument) {
  const auto* region = argument->As<ir::RegionArg>();
  if (region == nullptr || !region->mins.empty()) return argument;
  std::vector<PrimRef> indices;
  for (PrimRef dim : region->buffer->shape) indices.push_back(context.Int(0, dim->dtype()));
  return context.MakeLoad(region->buffer, std::move(indices));
}

// Evaluates the call of an intrinsic, which is kept by name. The type of the result is the value of
// dtype=, or the first or last argument if the intrinsic has a type there, or is derived from the
// arguments.
ScalarResult IntrinsicCall(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  const auto& call = *e.As<ast::Call>();
  std::optional<DType> dtype;
  std::vector<ast::ExprRef> arguments(call.args.begin(), call.args.end());
  for (const ast::Keyword& keyword : call.keywords) {
    if (keyword.name == "dtype") {
      LATHE_ASSIGN_OR_RETURN(dtype, s.Type(*keyword.value));
    } else {
      // Keyword names differ between versions, so the arguments are passed by position.
      arguments.push_back(keyword.value);
    }
  }
  const ir::ResultType result = ir::FindIntrinsic(name)->result;
  const bool first = result == ir::ResultType::kGiven;
  if (!dtype && (first || result == ir::ResultType::kGivenLast)) {
    if (arguments.empty()) {
      return s.el().Error(e, "wrong-arguments")
             << "T." << name << " needs the type of its result as its "
             << (first ? "first" : "last") << " argument";
    }
    LATHE_ASSIGN_OR_RETURN(dtype, s.Type(first ? *arguments.front() : *arguments.back()));
    arguments.erase(first ? arguments.begin() : arguments.end() - 1);
  }
  LATHE_RETURN_IF_ERROR(CheckCount(s, e, name, arguments.size()));
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> values, s.Arguments(arguments));
  if (name == "address_of") values[0] = FirstElement(s.context(), values[0]);
  if (!dtype) dtype = ir::ResultTypeOf(name, values);
  return ScalarValue(s.context().MakeIntrinsic(*dtype, name, std::move(values)));
}

// The intrinsic of that name, with or without the "tir." in front; operators are nodes.
ScalarResult MakeCall(ScalarElaborator& s, const ast::Expr& e, DType dtype, absl::string_view name,
                      std::vector<PrimRef> values) {
  if (!absl::ConsumePrefix(&name, "tirx.")) absl::ConsumePrefix(&name, "tir.");
  name = CanonicalName(name);
  if (ir::IsArgumentForm(name)) return UnknownScalarCall(s, e, name);
  const auto op = BinaryOpNamed(name);
  if (op && values.size() == 2 && values[0]->dtype() == values[1]->dtype() &&
      values[0]->dtype() == dtype) {
    return ScalarValue(s.context().Make(*op, values[0], values[1]));
  }
  return ScalarValue(s.context().MakeIntrinsic(dtype, name, std::move(values)));
}

// T.call_intrin("float32", "tirx.exp", x).
ScalarResult CallIntrin(ScalarElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(const auto args,
                         CallArguments::Bind(s.el(), e, "T.call_intrin", "dtype func_name *args"));
  LATHE_ASSIGN_OR_RETURN(const DType dtype, s.Type(args["dtype"]));
  LATHE_ASSIGN_OR_RETURN(const std::string name, s.String(args["func_name"]));
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> values, s.Arguments(args.rest()));
  return MakeCall(s, e, dtype, name, std::move(values));
}

// "tirx.exp", or tvm.ir.Op.get("tirx.exp").
absl::StatusOr<std::string> OpName(ScalarElaborator& s, const ast::Expr& e) {
  const auto* call = e.As<ast::Call>();
  const std::optional<std::string> callee =
      call == nullptr ? std::nullopt : ast::DottedName(*call->callee);
  const bool get = callee && absl::EndsWith(*callee, "Op.get") && call->args.size() == 1;
  return s.String(get ? *call->args[0] : e);
}

// T.Call("tirx.exp", [x], ret_ty="float32"), until 0.25 T.Call("float32", "tir.exp", [x]).
ScalarResult Call(ScalarElaborator& s, const ast::Expr& e) {
  LATHE_ASSIGN_OR_RETURN(
      const auto args,
      CallArguments::Bind(s.el(), e, "T.Call", "first second third? attrs? ret_ty? span?"));
  if (const ast::Expr* attrs = args.GetUnlessNone("attrs")) {
    return s.el().Unsupported(*attrs, "intrinsic-keyword")
           << "attributes of a call are not supported; only its arguments are";
  }
  const ast::Expr* type = args.GetUnlessNone("ret_ty");
  const ast::Expr* list = type != nullptr ? &args["second"] : args.Get("third");
  if (list == nullptr || list->As<ast::List>() == nullptr) {
    return s.el().Error(e, "wrong-arguments")
           << "T.Call takes the name of an intrinsic, a list of arguments and ret_ty=";
  }
  LATHE_ASSIGN_OR_RETURN(const DType dtype, s.Type(type != nullptr ? *type : args["first"]));
  LATHE_ASSIGN_OR_RETURN(const std::string name,
                         OpName(s, type != nullptr ? args["first"] : args["second"]));
  const ast::ExprList items = list->As<ast::List>()->elements;
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> values, s.Arguments({items.begin(), items.end()}));
  return MakeCall(s, e, dtype, name, std::move(values));
}

}  // namespace

std::optional<DType> TypeNamed(absl::string_view name) {
  if (name == "boolean") return DType::Bool();
  if (name == "Ptr" || name == "ptr") return DType::Handle();
  if (name == "bf16") return DType::Make(ir::TypeCode::kBFloat, 16, 1);
  int bits = 0;
  if (name.size() <= 3 && absl::SimpleAtoi(name.substr(name.empty() ? 0 : 1), &bits)) {
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return std::nullopt;
    if (name[0] == 'i') return DType::Int(bits);
    if (name[0] == 'u') return DType::UInt(bits);
    if (name[0] == 'f' && bits > 8) return DType::Float(bits);
    return std::nullopt;
  }
  if (name.empty()) return std::nullopt;
  return ir::ParseDType(name);
}

ScalarResult EvalTirName(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  if (const std::optional<DType> dtype = TypeNamed(name)) {
    return ScalarValue::Node(TypeName{*dtype});
  }
  if (name == "IndexMap.AXIS_SEPARATOR") return ScalarValue::Node(std::string("axis_separator"));
  if (FindNode(name) != nullptr || FindObject(name) != nullptr ||
      ir::FindIntrinsic(CanonicalName(name)) != nullptr) {
    return s.el().Error(e, "wrong-kind-of-value")
           << "T." << name << " is a function: call it, as in T." << name << "(...)";
  }
  return UnknownScalarCall(s, e, name);
}

ScalarResult EvalTirCall(ScalarElaborator& s, const ast::Expr& e, absl::string_view name) {
  if (const std::optional<DType> dtype = TypeNamed(name)) return TypeCall(s, e, name, *dtype);
  if (const NodeFn node = FindNode(name)) return node(s, e, name);
  if (const NodeFn object = FindObject(name)) return object(s, e, name);
  if (name == "call_intrin") return CallIntrin(s, e);
  if (name == "Call") return Call(s, e);
  const absl::string_view canonical = CanonicalName(name);
  if (ir::FindIntrinsic(canonical) != nullptr) return IntrinsicCall(s, e, canonical);
  if (ir::IsDeviceIntrinsic(canonical)) return EvalDeviceCall(s, e, canonical);
  if (name == "meta_var") {
    LATHE_ASSIGN_OR_RETURN(const auto args, CallArguments::Bind(s.el(), e, "T.meta_var", "value"));
    return s.Eval(args["value"]);
  }
  return UnknownScalarCall(s, *e.As<ast::Call>()->callee, name);
}

ScalarResult EvalGlobalCall(ScalarElaborator& s, const ast::Expr& e,
                            const Elaboration::Member& member) {
  const auto& call = *e.As<ast::Call>();
  if (!member.id) {
    return s.el().Error(*call.callee, "unbound-name")
           << "the module has no function '" << member.name << "'";
  }
  if (!call.keywords.empty()) {
    return s.el().Error(*call.keywords.front().value, "wrong-arguments")
           << "functions of the module take positional arguments only";
  }
  LATHE_ASSIGN_OR_RETURN(std::vector<PrimRef> values,
                         s.Arguments({call.args.begin(), call.args.end()}));
  values.insert(values.begin(), s.context().String(member.name));
  return ScalarValue(
      s.context().MakeIntrinsic(s.el().PrimResult(*member.id), "call_global", std::move(values)));
}

ScalarResult ConvertBuiltin(ScalarElaborator& s, const ast::Expr& e, absl::string_view name,
                            const ScalarValue& value) {
  if (const auto* text = value.As<std::string>(); text != nullptr && name == "float") {
    double parsed = 0;
    if (absl::SimpleAtod(*text, &parsed)) return ScalarValue::Node(parsed);
  }
  if (const auto* whole = value.As<absl::int128>()) {
    if (name == "float") return ScalarValue::Node(static_cast<double>(*whole));
    if (name == "bool") return ScalarValue::Node(*whole != 0);
    return value;
  }
  if (const double* real = value.As<double>()) {
    if (name == "bool") return ScalarValue::Node(*real != 0);
    if (name == "float") return value;
    if (std::abs(*real) < std::ldexp(1.0, 64)) {
      return ScalarValue::Node(absl::int128(std::trunc(*real)));
    }
  }
  if (const bool* truth = value.As<bool>()) {
    if (name == "float") return ScalarValue::Node(*truth ? 1.0 : 0.0);
    if (name == "int") return ScalarValue::Node(absl::int128(*truth ? 1 : 0));
    return value;
  }
  const DType dtype = name == "bool"    ? DType::Bool()
                      : name == "float" ? DType::Float(32)
                                        : DType::Int(32);
  LATHE_ASSIGN_OR_RETURN(const PrimRef scalar, ToScalar(s.el(), e, value, s.int_dtype()));
  return ScalarValue(s.context().MakeCast(dtype, scalar));
}

}  // namespace lathe::relax_text
