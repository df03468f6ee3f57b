// Visits the statements inside a statement.
#ifndef LATHE_IR_EACH_STMT_H_
#define LATHE_IR_EACH_STMT_H_

#include "generator/ir/tir.h"
#include "generator/support/match.h"

namespace lathe::ir {

// Calls `visit` for each direct child of `stmt`, in execution order.
template <typename F>
void ForEachChild(StmtRef stmt, F visit) {
  const auto maybe = [&](StmtRef child) {
    if (child != nullptr) visit(child);
  };
  Match(
      stmt->node(),
      [&](const SeqStmt& s) {
        for (StmtRef child : s.stmts) visit(child);
      },
      [&](const ForStmt& s) { visit(s.body); },
      [&](const BlockStmt& s) {
        maybe(s.init);
        visit(s.body);
      },
      [](const StoreStmt&) {}, [&](const LetStmt& s) { maybe(s.body); },
      [&](const IfStmt& s) {
        visit(s.then_case);
        maybe(s.else_case);
      },
      [&](const WhileStmt& s) { visit(s.body); }, [&](const AllocStmt& s) { maybe(s.body); },
      [&](const DeclBufferStmt& s) { maybe(s.body); }, [&](const AttrStmt& s) { maybe(s.body); },
      [&](const AssertStmt& s) { maybe(s.body); }, [](const EvaluateStmt&) {},
      [](const ReturnStmt&) {}, [](const BreakStmt&) {}, [](const ContinueStmt&) {});
}

// Visits `stmt` and all nested statements, outermost first.
template <typename F>
void ForEachStmt(StmtRef stmt, const F& visit) {
  visit(stmt);
  ForEachChild(stmt, [&](StmtRef child) { ForEachStmt(child, visit); });
}

}  // namespace lathe::ir

#endif  // LATHE_IR_EACH_STMT_H_
