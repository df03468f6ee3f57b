#include "generator/interp/eval_scalar.h"

#include "absl/container/flat_hash_set.h"
#include "generator/interp/kernel/compile_prim_func.h"

namespace lathe::interp {
namespace {

using ir::PrimRef;

void CollectVars(PrimRef e, absl::flat_hash_set<PrimRef>& seen, std::vector<PrimRef>* vars) {
  if (!seen.insert(e).second) return;
  if (e->As<ir::SymVar>() != nullptr) {
    vars->push_back(e);
    return;
  }
  // Let-bound variables are not free. Variables are unique, so they can be excluded everywhere.
  if (const auto* let = e->As<ir::Let>()) seen.insert(let->var);
  ForEachOperand(e, [&](PrimRef operand) { CollectVars(operand, seen, vars); });
}

}  // namespace

ScalarEvaluator::Entry& ScalarEvaluator::EntryFor(PrimRef e) {
  std::unique_ptr<Entry>& entry = entries_[e];
  if (entry == nullptr) {
    entry = std::make_unique<Entry>();
    absl::flat_hash_set<PrimRef> seen;
    CollectVars(e, seen, &entry->vars);
  }
  return *entry;
}

const std::vector<PrimRef>& ScalarEvaluator::VarsOf(PrimRef e) { return EntryFor(e).vars; }

absl::StatusOr<Scalar> ScalarEvaluator::Eval(PrimRef e, As as, const ValueOf& value_of,
                                             const RunEnv& env) {
  if (const auto* whole = e->As<ir::IntImm>()) {
    return Scalar{e->dtype(), FromInt64(e->dtype(), whole->value)};
  }
  const auto unbound = [&](PrimRef var) {
    return env.diags->Error(env.called_at, "run-unbound-variable")
           << "the shape variable '" << var->As<ir::SymVar>()->name << "' is unbound here";
  };
  if (e->As<ir::SymVar>() != nullptr) {
    const Scalar* value = value_of(e);
    if (value == nullptr) return unbound(e);
    return *value;
  }
  Entry& entry = EntryFor(e);
  std::vector<PrimArg> args;
  for (PrimRef var : entry.vars) {
    const Scalar* value = value_of(var);
    if (value == nullptr) return unbound(var);
    args.push_back(*value);
  }
  std::unique_ptr<Code>& ready = entry.code[as == As::kSize ? 1 : 0];
  if (ready == nullptr) {
    absl::StatusOr<Code> code = CompileScalarCode(e, entry.vars, as == As::kSize);
    if (!code.ok()) {
      return env.diags->LimitExceeded(env.called_at, "run-code-limit")
             << "this expression cannot be evaluated: " << code.status().message();
    }
    ready = std::make_unique<Code>(*std::move(code));
  }
  return RunCode(*ready, args, env);
}

}  // namespace lathe::interp
