// Visits the scalar expressions of a statement.
#ifndef LATHE_IR_EACH_SCALAR_H_
#define LATHE_IR_EACH_SCALAR_H_

#include "generator/ir/tir.h"
#include "generator/support/match.h"

namespace lathe::ir {

// Calls `visit` for each expression in `stmt` itself, but not in nested statements, in buffers that
// it declares, or in the regions and views of a block.
template <typename F>
void ForEachScalar(StmtRef stmt, F visit) {
  const auto maybe = [&](PrimRef e) {
    if (e != nullptr) visit(e);
  };
  const auto all = [&](const std::vector<PrimRef>& row) {
    for (PrimRef e : row) maybe(e);
  };
  const auto attrs = [&](const AttrMap& map) {
    for (const auto& [key, value] : map) ForEachExpr(value, maybe);
  };
  Match(
      stmt->node(), [](const SeqStmt&) {},
      [&](const ForStmt& s) {
        all({s.min, s.extent, s.step});
        attrs(s.annotations);
      },
      [&](const BlockStmt& s) {
        for (const BlockAxis& axis : s.axes) all({axis.min, axis.extent, axis.binding});
        maybe(s.predicate);
        attrs(s.annotations);
      },
      [&](const StoreStmt& s) {
        all(s.indices);
        maybe(s.value);
        maybe(s.predicate);
      },
      [&](const LetStmt& s) { maybe(s.value); }, [&](const IfStmt& s) { maybe(s.cond); },
      [&](const WhileStmt& s) { maybe(s.cond); },
      [&](const AllocStmt& s) {
        maybe(s.condition);
        attrs(s.annotations);
      },
      [](const DeclBufferStmt&) {},
      [&](const AttrStmt& s) {
        ForEachExpr(s.node, maybe);
        maybe(s.value);
      },
      [&](const AssertStmt& s) { maybe(s.cond); }, [&](const EvaluateStmt& s) { maybe(s.value); },
      [&](const ReturnStmt& s) { maybe(s.value); }, [](const BreakStmt&) {},
      [](const ContinueStmt&) {});
}

}  // namespace lathe::ir

#endif  // LATHE_IR_EACH_SCALAR_H_
