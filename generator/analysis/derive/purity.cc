#include "generator/analysis/derive/purity.h"

#include "generator/analysis/show_operand.h"
#include "generator/ir/op.h"

namespace lathe::analysis {
namespace {

// The help text for an impure call.
const char* Advice(const ir::Call& call, const ir::FuncInfo* callee) {
  const bool packed = call.op() == nullptr && (callee == nullptr || !callee->params);
  if (packed) {
    return "if it has no side effects, call it with R.call_pure_packed; otherwise mark the "
           "function with pure=False";
  }
  return "mark the function that calls it with pure=False";
}

}  // namespace

bool IsPureCallee(ir::StructInfoRef callee) {
  const auto* func = callee->As<ir::FuncInfo>();
  return func == nullptr || (func->params && func->pure);
}

void CheckPurity(Derivation& d, const ir::Call& call, bool pure, const Location& loc) {
  if (pure) return;
  const std::string callee = ShowCallee(d.module, call);
  if (d.function.in_dataflow) {
    d.Error(loc, "impure-call") << "call of impure '" << callee << "' inside a dataflow block";
    return;
  }
  const ir::Function* caller = d.function.def;
  if (caller == nullptr || !caller->pure || IsForcePure(*caller)) return;
  const auto* id = std::get_if<ir::ValueId>(&call.callee);
  const ir::FuncInfo* info = id == nullptr ? nullptr : d.Lookup(*id).info->As<ir::FuncInfo>();
  if (const auto* global = std::get_if<ir::GlobalId>(&call.callee)) {
    info = d.globals[*global].info->As<ir::FuncInfo>();
  }
  (d.Error(loc, "impure-call") << "call of impure '" << callee << "' in '" << d.function.name
                               << "', which is pure")
      .Help(Advice(call, info));
}

}  // namespace lathe::analysis
