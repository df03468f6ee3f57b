#include "generator/ir/map_children.h"

#include <utility>

#include "generator/support/match.h"

namespace lathe::ir {

StmtRef MapChildren(Context& context, StmtRef stmt, absl::FunctionRef<StmtRef(StmtRef)> map) {
  bool changed = false;
  const auto in = [&](StmtRef& part) {
    if (part == nullptr) return;
    StmtRef mapped = map(part);
    changed |= mapped != part;
    part = mapped;
  };
  const auto made = [&](auto node) {
    return changed ? context.Make(Stmt::Node(std::move(node)), stmt->loc()) : stmt;
  };
  const auto body_only = [&](auto s) {
    in(s.body);
    return made(std::move(s));
  };
  return Match(
      stmt->node(),
      [&](SeqStmt s) {
        for (StmtRef& part : s.stmts) in(part);
        return made(std::move(s));
      },
      [&](BlockStmt s) {
        in(s.init);
        in(s.body);
        return made(std::move(s));
      },
      [&](IfStmt s) {
        in(s.then_case);
        in(s.else_case);
        return made(std::move(s));
      },
      [&](ForStmt s) { return body_only(std::move(s)); },
      [&](LetStmt s) { return body_only(std::move(s)); },
      [&](WhileStmt s) { return body_only(std::move(s)); },
      [&](AllocStmt s) { return body_only(std::move(s)); },
      [&](DeclBufferStmt s) { return body_only(std::move(s)); },
      [&](AttrStmt s) { return body_only(std::move(s)); },
      [&](AssertStmt s) { return body_only(std::move(s)); }, [&](const StoreStmt&) { return stmt; },
      [&](const EvaluateStmt&) { return stmt; }, [&](const ReturnStmt&) { return stmt; },
      [&](const BreakStmt&) { return stmt; }, [&](const ContinueStmt&) { return stmt; });
}

}  // namespace lathe::ir
