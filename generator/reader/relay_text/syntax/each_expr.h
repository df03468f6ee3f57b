// Visits expressions of the syntax tree.
#ifndef LATHE_READER_RELAY_TEXT_SYNTAX_EACH_EXPR_H_
#define LATHE_READER_RELAY_TEXT_SYNTAX_EACH_EXPR_H_

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/reader/relay_text/syntax/tree.h"
#include "generator/support/match.h"

namespace lathe::relay {

// Calls `visit(ExprId)` for the direct subexpressions of `e`, in order of evaluation. Bodies of
// functions, branches and clauses are subexpressions; the expression of a graph variable is not.
template <typename F>
void ForEachChild(const Expr& e, F visit) {
  Match(
      e.node, [](const Literal&) {}, [](const LocalRef&) {}, [](const SharedRef&) {},
      [](const GlobalRef&) {}, [](const NameRef&) {},
      [&](const Tuple& t) {
        for (const ExprId field : t.fields) visit(field);
      },
      [&](const Project& p) { visit(p.tuple); },
      [&](const CallTree& c) {
        visit(c.callee);
        for (const ExprId arg : c.args) visit(arg);
      },
      [&](const Fn& f) { visit(f.function->body); },
      [&](const IfTree& i) {
        visit(i.cond);
        visit(i.then_body);
        visit(i.else_body);
      },
      [&](const MatchTree& m) {
        visit(m.value);
        for (const Arm& arm : m.arms) visit(arm.body);
      },
      [&](const NewRef& r) { visit(r.value); }, [&](const ReadRef& r) { visit(r.ref); },
      [&](const WriteRef& w) {
        visit(w.ref);
        visit(w.value);
      },
      [&](const BlockTree& b) {
        for (const Item& item : b.items) {
          if (item.kind != Item::Kind::kGraph) visit(item.value);
        }
        visit(b.result);
      });
}

// Calls `visit(ExprId)` once for every expression that `root` reaches, graph variables included.
template <typename F>
void ForEachExpr(const ModuleTree& tree, ExprId root, F visit) {
  absl::flat_hash_set<ExprId> seen = {root};
  std::vector<ExprId> open = {root};
  const auto add = [&](ExprId id) {
    if (seen.insert(id).second) open.push_back(id);
  };
  while (!open.empty()) {
    const ExprId id = open.back();
    open.pop_back();
    visit(id);
    ForEachChild(tree.exprs[id], add);
    if (const auto* shared = tree.exprs[id].As<SharedRef>()) add(shared->target);
  }
}

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_SYNTAX_EACH_EXPR_H_
