#include "generator/schedule/finish/lift_calls.h"

#include <utility>
#include <vector>

#include "generator/ir/function_calls.h"
#include "generator/ir/map_children.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/tir.h"
#include "generator/ir/tir_mentions.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/match.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;
using ir::StmtRef;

class Lifting {
 public:
  explicit Lifting(ir::Context& context) : ir_(context) {}

  StmtRef Lifted(StmtRef stmt) {
    std::vector<StmtRef> row;
    Append(stmt, row);
    return row.size() == 1 ? row[0] : Made(ir::SeqStmt{std::move(row)}, stmt);
  }

 private:
  StmtRef Made(ir::Stmt::Node node, StmtRef from) { return ir_.Make(std::move(node), from->loc()); }

  // Appends `stmt` to `row` after the calls in it.
  void Append(StmtRef stmt, std::vector<StmtRef>& row) {
    Match(
        stmt->node(),
        [&](const ir::SeqStmt& s) {
          for (StmtRef child : s.stmts) Append(child, row);
        },
        [&](ir::StoreStmt s) {
          std::vector<PrimRef> parts = s.indices;
          if (!StaysIn(s)) parts.push_back(s.value);
          Lift(parts, stmt, row);
          if (!StaysIn(s)) {
            s.value = parts.back();
            parts.pop_back();
          }
          s.indices = std::move(parts);
          row.push_back(Made(std::move(s), stmt));
        },
        [&](ir::LetStmt s) {
          if (!IsCall(s.value)) LiftIn(s.value, stmt, row);
          if (IsCall(s.value)) LiftArguments(s.value, stmt, row);
          row.push_back(Inside(Made(std::move(s), stmt)));
        },
        [&](ir::EvaluateStmt s) {
          if (IsCall(s.value)) {
            LiftArguments(s.value, stmt, row);
          } else {
            LiftIn(s.value, stmt, row);
          }
          row.push_back(Made(std::move(s), stmt));
        },
        [&](ir::ForStmt s) {
          LiftIn(s.min, stmt, row);
          LiftIn(s.extent, stmt, row);
          row.push_back(Inside(Made(std::move(s), stmt)));
        },
        [&](ir::IfStmt s) {
          LiftIn(s.cond, stmt, row);
          row.push_back(Inside(Made(std::move(s), stmt)));
        },
        [&](ir::AssertStmt s) {
          LiftIn(s.cond, stmt, row);
          row.push_back(Inside(Made(std::move(s), stmt)));
        },
        [&](ir::ReturnStmt s) {
          if (s.value != nullptr) LiftIn(s.value, stmt, row);
          row.push_back(Made(std::move(s), stmt));
        },
        [&](const auto&) { row.push_back(Inside(stmt)); });
  }

  StmtRef Inside(StmtRef stmt) {
    return ir::MapChildren(ir_, stmt, [&](StmtRef part) { return Lifted(part); });
  }

  static bool IsCall(PrimRef e) {
    const auto* call = e->As<ir::Intrinsic>();
    return call != nullptr && ir::IsFunctionCall(call->name);
  }

  // The call of an external function, which cannot fail, may stay in the store of its value.
  static bool StaysIn(const ir::StoreStmt& s) {
    const auto* call = s.value->As<ir::Intrinsic>();
    bool stays = call != nullptr && call->name == "call_extern";
    if (!stays) return false;
    for (PrimRef arg : call->args) stays = stays && !ir::CallsFunctions(arg);
    for (PrimRef index : s.indices) stays = stays && !nest::ReadsMemory(index);
    return stays;
  }

  void LiftIn(PrimRef& e, StmtRef from, std::vector<StmtRef>& row) {
    std::vector<PrimRef> one = {e};
    Lift(one, from, row);
    e = one[0];
  }

  // Lifts the calls in the arguments; the call itself stays.
  void LiftArguments(PrimRef& e, StmtRef from, std::vector<StmtRef>& row) {
    ir::Intrinsic call = *e->As<ir::Intrinsic>();
    Lift(call.args, from, row);
    e = ir_.Make(e->dtype(), std::move(call));
  }

  // Without calls, the expressions are unchanged.
  void Lift(std::vector<PrimRef>& parts, StmtRef from, std::vector<StmtRef>& row) {
    size_t calls = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] != nullptr && ir::CallsFunctions(parts[i])) calls = i + 1;
    }
    for (size_t i = 0; i < calls; ++i) {
      if (parts[i] != nullptr) parts[i] = Taken(parts[i], from, row);
    }
  }

  // Returns `e` with its calls and loads replaced by variables, in operand order.
  PrimRef Taken(PrimRef e, StmtRef from, std::vector<StmtRef>& row) {
    const auto* call = e->As<ir::Intrinsic>();
    const auto* load = e->As<ir::Load>();
    if (e->dtype().is_handle()) return e;
    if (call != nullptr && call->name == "if_then_else") return e;
    const PrimRef made =
        ir::MapOperands(ir_, e, [&](PrimRef operand) { return Taken(operand, from, row); });
    if ((load == nullptr && !IsCall(e)) || e->dtype().lanes != 1) return made;
    const PrimRef var = ir_.NewVar(load != nullptr ? "read" : "given", e->dtype());
    row.push_back(Made(ir::LetStmt{var, made, nullptr}, from));
    return var;
  }

  ir::Context& ir_;
};

bool HasCalls(const ir::PrimFunc& func) {
  const ir::TirMentions mentions = ir::MentionsOf(func);
  return !mentions.globals.empty() || !mentions.externs.empty();
}

}  // namespace

void LiftCalls(ir::Context& context, ir::Program& program) {
  ir::ForEachPrimFunc(program, [&](ir::PrimFunc& func) {
    if (HasCalls(func)) func.body = Lifting(context).Lifted(func.body);
  });
}

}  // namespace lathe::schedule
