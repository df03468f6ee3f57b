#include "generator/schedule/finish/name_lets.h"

#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/map_children.h"
#include "generator/ir/map_operands.h"
#include "generator/ir/tir.h"
#include "generator/support/match.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;
using ir::StmtRef;

class LetNaming {
 public:
  explicit LetNaming(ir::Context& context) : ir_(context) {}

  StmtRef Named(StmtRef stmt) {
    std::vector<StmtRef> row;
    Append(stmt, row);
    return row.size() == 1 ? row[0] : Made(ir::SeqStmt{std::move(row)}, stmt);
  }

 private:
  StmtRef Made(ir::Stmt::Node node, StmtRef from) { return ir_.Make(std::move(node), from->loc()); }

  // Appends `stmt` to `row` after the variables that it uses.
  void Append(StmtRef stmt, std::vector<StmtRef>& row) {
    Match(
        stmt->node(),
        [&](const ir::SeqStmt& s) {
          for (StmtRef child : s.stmts) Append(child, row);
        },
        [&](ir::StoreStmt s) {
          for (PrimRef& index : s.indices) index = Open(index, stmt, row);
          s.value = Open(s.value, stmt, row);
          row.push_back(Made(std::move(s), stmt));
        },
        [&](ir::LetStmt s) {
          s.value = Open(s.value, stmt, row);
          row.push_back(Inside(Made(std::move(s), stmt)));
        },
        [&](ir::IfStmt s) {
          s.cond = Open(s.cond, stmt, row);
          row.push_back(Inside(Made(std::move(s), stmt)));
        },
        [&](ir::AssertStmt s) {
          s.cond = Open(s.cond, stmt, row);
          row.push_back(Inside(Made(std::move(s), stmt)));
        },
        [&](const auto&) { row.push_back(Inside(stmt)); });
  }

  StmtRef Inside(StmtRef stmt) {
    return ir::MapChildren(ir_, stmt, [&](StmtRef part) { return Named(part); });
  }

  // Starts a new scope for each statement, because memory may have changed.
  PrimRef Open(PrimRef e, StmtRef stmt, std::vector<StmtRef>& row) {
    if (!HasLet(e)) return e;
    done_.clear();
    names_.clear();
    before_.clear();
    const PrimRef opened = Open(e, nullptr);
    for (const auto& [var, value] : before_) {
      row.push_back(Made(ir::LetStmt{var, value, nullptr}, stmt));
    }
    return opened;
  }

  // Returns `e` without Lets. It is evaluated under the condition `when` (null: always).
  PrimRef Open(PrimRef e, PrimRef when) {
    if (const auto name = names_.find(e); name != names_.end()) return name->second;
    const std::pair key(e, when);
    if (const auto it = done_.find(key); it != done_.end()) return it->second;
    const PrimRef opened = Opened(e, when);
    done_[key] = opened;
    return opened;
  }

  PrimRef Opened(PrimRef e, PrimRef when) {
    const auto* let = e->As<ir::Let>();
    if (let != nullptr && let->var->dtype().lanes == 1) {
      PrimRef value = Open(let->value, when);
      if (when != nullptr) value = Where(when, value);
      const PrimRef name = ir_.NewVar(let->var->As<ir::SymVar>()->name, let->var->dtype());
      before_.emplace_back(name, value);
      names_[let->var] = name;
      return Open(let->body, when);
    }
    const auto* call = e->As<ir::Intrinsic>();
    const auto* binary = e->As<ir::Binary>();
    if (call != nullptr && call->name == "if_then_else") {
      const PrimRef cond = Open(call->args[0], when);
      const PrimRef yes = Open(call->args[1], And(when, cond));
      const PrimRef no = Open(call->args[2], And(when, Not(cond)));
      return ir_.Make(e->dtype(), ir::Intrinsic{call->name, {cond, yes, no}});
    }
    if (binary != nullptr && (binary->op == BinaryOp::kAnd || binary->op == BinaryOp::kOr)) {
      const PrimRef lhs = Open(binary->lhs, when);
      const PrimRef rhs =
          Open(binary->rhs, And(when, binary->op == BinaryOp::kAnd ? lhs : Not(lhs)));
      return ir_.Make(e->dtype(), ir::Binary{binary->op, lhs, rhs});
    }
    return ir::MapOperands(ir_, e, [&](PrimRef part) { return Open(part, when); });
  }

  bool HasLet(PrimRef e) {
    if (const auto it = has_let_.find(e); it != has_let_.end()) return it->second;
    bool has = e->As<ir::Let>() != nullptr;
    ir::ForEachOperand(e, [&](PrimRef part) { has = has || HasLet(part); });
    has_let_[e] = has;
    return has;
  }

  PrimRef Not(PrimRef e) { return ir_.Make(ir::UnaryOp::kNot, e); }
  PrimRef And(PrimRef a, PrimRef b) { return a == nullptr ? b : ir_.Make(BinaryOp::kAnd, a, b); }
  PrimRef Where(PrimRef cond, PrimRef e) {
    const PrimRef none = ir_.MakeCast(e->dtype(), ir_.Int(0));
    return ir_.Make(e->dtype(), ir::Intrinsic{"if_then_else", {cond, e, none}});
  }

  ir::Context& ir_;
  absl::flat_hash_map<PrimRef, bool> has_let_;
  // State of the current expression: opened expressions by their condition, the variables of its
  // Lets, and these in evaluation order.
  absl::flat_hash_map<std::pair<PrimRef, PrimRef>, PrimRef> done_;
  absl::flat_hash_map<PrimRef, PrimRef> names_;
  std::vector<std::pair<PrimRef, PrimRef>> before_;
};

}  // namespace

void NameLets(ir::Context& context, ir::Program& program) {
  ir::ForEachPrimFunc(program,
                      [&](ir::PrimFunc& func) { func.body = LetNaming(context).Named(func.body); });
}

}  // namespace lathe::schedule
