#include "generator/analysis/called_functions.h"

#include "absl/container/flat_hash_set.h"
#include "generator/ir/each_scalar.h"
#include "generator/ir/each_stmt.h"
#include "generator/ir/function_calls.h"
#include "generator/ir/map_operands.h"

namespace lathe::analysis {
namespace {

class CallCollector {
 public:
  void Visit(ir::PrimRef e) {
    if (!seen_.insert(e).second) return;
    const auto* call = e->As<ir::Intrinsic>();
    if (call != nullptr && ir::IsCall(call->name) && !call->args.empty()) {
      const auto* name = call->args[0]->As<ir::StringImm>();
      names.insert(name == nullptr ? call->name : name->value);
    }
    ir::ForEachOperand(e, [&](ir::PrimRef operand) { Visit(operand); });
  }

  std::set<std::string> names;

 private:
  absl::flat_hash_set<ir::PrimRef> seen_;
};

}  // namespace

std::set<std::string> CalledFunctions(const ir::PrimFunc& func) {
  CallCollector collector;
  if (func.body == nullptr) return {};
  ir::ForEachStmt(func.body, [&](ir::StmtRef stmt) {
    ir::ForEachScalar(stmt, [&](ir::PrimRef e) { collector.Visit(e); });
  });
  return collector.names;
}

}  // namespace lathe::analysis
