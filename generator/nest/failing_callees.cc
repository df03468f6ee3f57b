#include "generator/nest/failing_callees.h"

#include "generator/ir/each_stmt.h"
#include "generator/ir/function_calls.h"

namespace lathe::nest {
namespace {

// After schedule/finish/lift_calls, a call is a statement of its own or the value of a Let.
bool CallsOne(const CalleeNames& failing, ir::StmtRef stmt) {
  const auto* evaluate = stmt->As<ir::EvaluateStmt>();
  const auto* let = stmt->As<ir::LetStmt>();
  const ir::PrimRef value = evaluate != nullptr ? evaluate->value
                            : let != nullptr    ? let->value
                                                : nullptr;
  const auto* call = value == nullptr ? nullptr : value->As<ir::Intrinsic>();
  if (call == nullptr || !ir::IsCall(call->name) || call->args.empty()) return false;
  const auto* name = call->args[0]->As<ir::StringImm>();
  return name != nullptr && failing.count(name->value) != 0;
}

}  // namespace

CalleeNames FailingCallees(const std::map<std::string, ir::PrimFunc>& callees) {
  CalleeNames failing;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [name, func] : callees) {
      if (failing.count(name) != 0 || !MayFail(failing, func.body)) continue;
      failing.insert(name);
      more = true;
    }
  }
  return failing;
}

bool MayFail(const CalleeNames& failing, ir::StmtRef stmt) {
  bool fails = false;
  ir::ForEachStmt(stmt, [&](ir::StmtRef s) {
    fails = fails || s->As<ir::AssertStmt>() != nullptr || CallsOne(failing, s);
  });
  return fails;
}

}  // namespace lathe::nest
