#include "generator/interp/runtime.h"

#include "absl/strings/str_cat.h"
#include "generator/interp/kernel/compile_prim_func.h"
#include "generator/ir/device/canonicalize_prim_func.h"
#include "generator/ops/definitions/operation_definitions.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

Value AsValue(PrimArg arg) {
  return Match(
      arg, [](const Scalar& s) { return Value(s); }, [](const Pointer&) { return Value(); },
      [](const TensorRef& t) { return Value(t); },
      [](const std::string& s) { return Value::OfString(s); });
}

}  // namespace

std::optional<PrimArg> AsPrimArg(const Value& value) {
  if (const auto* tensor = value.As<TensorRef>()) return PrimArg(*tensor);
  if (const auto* scalar = value.AsScalar()) return PrimArg(*scalar);
  return std::nullopt;
}

Runtime::Runtime(ir::Context& ir_context, const ir::Module& m, Options o)
    : ir(ir_context),
      module(m),
      options(std::move(o)),
      budget(std::make_shared<MemoryBudget>(options.max_bytes, options.fresh_memory)) {
  ResetSteps();
}

void Runtime::ResetSteps() {
  if (options.max_steps > 0) steps_left = options.max_steps;
  if (options.max_bindings > 0) bindings_left = options.max_bindings;
}

std::string Runtime::Show(ir::StructInfoRef info) const {
  return ir::ToString(info, [this](ir::ValueId id) { return NameOf(id); });
}

absl::StatusOr<Scalar> Runtime::EvalScalar(ir::PrimRef e, const Scope& scope, const Location& loc,
                                           ScalarEvaluator::As as) {
  return scalars.Eval(
      e, as, [&](ir::PrimRef var) { return scope.FindShapeVar(var); }, Env(loc));
}

absl::StatusOr<std::vector<int64_t>> Runtime::EvalDims(const std::vector<ir::PrimRef>& dims,
                                                       const Scope& scope, const Location& loc) {
  std::vector<int64_t> values;
  for (ir::PrimRef dim : dims) {
    LATHE_ASSIGN_OR_RETURN(const Scalar value,
                           EvalScalar(dim, scope, loc, ScalarEvaluator::As::kSize));
    values.push_back(value.AsInt());
  }
  return values;
}

absl::StatusOr<Scalar> Runtime::CallPrimFunc(const ir::PrimFunc& func, absl::string_view name,
                                             const std::vector<PrimArg>& args,
                                             const Location& loc) {
  std::unique_ptr<Code>& code = compiled_[&func];
  if (code == nullptr) {
    absl::StatusOr<Code> compiled =
        CompilePrimFunc(ops::WithDefinitions(ir, ir::CanonicalizePrimFunc(ir, func)), name);
    if (!compiled.ok()) {
      return diags->LimitExceeded(loc, "run-code-limit")
             << "the PrimFunc '" << name << "' cannot be run: " << compiled.status().message();
    }
    code = std::make_unique<Code>(*std::move(compiled));
  }
  if (prim_func_depth_ >= kMaxPrimFuncDepth) {
    return diags->LimitExceeded(loc, "run-call-depth")
           << "calls of PrimFuncs are nested more than " << kMaxPrimFuncDepth << " deep";
  }
  const Code& ready = *code;  // the table may grow while it runs, the code stays
  ++prim_func_depth_;
  absl::StatusOr<Scalar> result = RunCode(ready, args, Env(loc));
  --prim_func_depth_;
  return result;
}

absl::StatusOr<Scalar> Runtime::Call(const CallInfo& call, std::vector<PrimArg> args,
                                     const Location& loc) {
  if (call.kind == CallInfo::Kind::kGlobal) {
    const std::optional<ir::GlobalId> id = module.Find(call.name);
    const ir::PrimFunc* func = id ? module.globals[*id].prim_func() : nullptr;
    if (func == nullptr) {
      return diags->Error(loc, "run-malformed-program")
             << "the module has no PrimFunc '" << call.name << "' to call";
    }
    return CallPrimFunc(*func, call.name, args, loc);
  }
  LATHE_ASSIGN_OR_RETURN(const Value callee, FindExtern(call.name, loc));
  if (const auto* f = callee.As<PrimFuncValue>()) {
    return CallPrimFunc(*f->global->prim_func(), f->global->name, args, loc);
  }
  std::vector<Value> values;
  for (PrimArg& arg : args) values.push_back(AsValue(std::move(arg)));
  LATHE_ASSIGN_OR_RETURN(const Value result, CallPacked(*callee.AsPacked(), values, {}, loc));
  if (const auto* scalar = result.AsScalar()) return *scalar;
  if (result.is_null() || call.ret.is_void() || call.ret.is_handle()) return Scalar{};
  // The result of call_packed is a status unless a dtype is requested.
  if (call.ret == ir::DType::Int(32)) return Scalar{ir::DType::Int(32), 0};
  return diags->Error(loc, "run-packed-func-failed")
         << "'" << call.name << "' must return a scalar of dtype " << ToString(call.ret)
         << ", but returned " << Describe(result);
}

absl::StatusOr<Value> Runtime::CallPacked(const PackedFunction& f, absl::Span<const Value> args,
                                          const ir::AttrMap& attrs, const Location& loc) {
  absl::StatusOr<Value> result = f.body({args, attrs, budget});
  if (result.ok()) return result;
  if (absl::IsResourceExhausted(result.status())) {
    return Report(result.status(), "run-memory-limit", loc);
  }
  return diags->Error(loc, "run-packed-func-failed")
         << "the packed function '" << f.name << "' failed: " << result.status().message();
}

absl::StatusOr<Value> Runtime::FindExtern(const std::string& name, const Location& loc) {
  if (auto packed = options.packed.Find(name)) return Value(Value::Node(std::move(packed)));
  for (size_t n = 0; n < module.globals.size(); ++n) {
    const ir::Global& g = module.globals[ir::GlobalId{static_cast<int32_t>(n)}];
    if (g.prim_func() == nullptr) continue;
    const auto* symbol = ir::FindAttr<std::string>(g.prim_func()->attrs, ir::kGlobalSymbol);
    if (symbol != nullptr && *symbol == name) return Value(Value::Node(PrimFuncValue{&g}));
  }
  return diags->Error(loc, "run-missing-packed-func")
         << "unknown packed function '" << name << "'" << DidYouMean(name, options.packed.Names());
}

absl::Status Runtime::Report(const absl::Status& status, absl::string_view code,
                             const Location& loc) {
  if (absl::IsResourceExhausted(status)) {
    return diags->LimitExceeded(loc, "run-memory-limit") << status.message();
  }
  return diags->Error(loc, code) << status.message();
}

}  // namespace lathe::interp
