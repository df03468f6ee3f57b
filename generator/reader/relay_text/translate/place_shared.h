// Decides where the expressions of graph variables are evaluated: once, in the innermost scope that
// holds all their uses.
//
//   fn (%x, %c) {
//     %0 = add(%x, 1f);                    %0 is evaluated in the first branch,
//     if (%c) { multiply(%0, %0) }         which holds both uses
//     else { %x }
//   }
#ifndef LATHE_READER_RELAY_TEXT_TRANSLATE_PLACE_SHARED_H_
#define LATHE_READER_RELAY_TEXT_TRANSLATE_PLACE_SHARED_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/reader/relay_text/syntax/tree.h"

namespace lathe::relay {

// A scope is named by its expression: the body of a function, a branch, a clause, or a block inside
// an expression.
class SharedPlaces {
 public:
  // Analyzes the body of a definition.
  SharedPlaces(const ModuleTree& tree, ExprId body);

  // Returns the scope that evaluates the expression `shared` of a graph variable.
  ExprId ScopeOf(ExprId shared) const;
  bool IsScope(ExprId id) const { return scopes_.contains(id); }

  // Returns the expressions of graph variables that evaluating `id` needs and that are evaluated in
  // `scope`, in the order in which they are needed. Those for which `done` returns true are left
  // out, together with what only they need.
  template <typename F>
  std::vector<ExprId> NeededBy(ExprId id, ExprId scope, F done) const;

 private:
  struct Scope {
    ExprId parent;
    int depth = 0;
  };
  void Walk(ExprId id, ExprId scope);
  void Enter(ExprId id, ExprId parent);
  ExprId CommonScope(ExprId a, ExprId b) const;
  // Returns the graph variables that `id` mentions, in order of evaluation.
  std::vector<ExprId> SharedIn(ExprId id) const;

  const ModuleTree& tree_;
  absl::flat_hash_map<ExprId, Scope> scopes_;
  absl::flat_hash_map<ExprId, ExprId> place_;
  std::vector<ExprId> found_;  // graph variables with uses, not yet walked
};

template <typename F>
std::vector<ExprId> SharedPlaces::NeededBy(ExprId id, ExprId scope, F done) const {
  struct Visit {
    ExprId shared;  // not valid: `id` itself
    std::vector<ExprId> uses;
    size_t next = 0;
  };
  absl::flat_hash_set<ExprId> seen;
  std::vector<ExprId> needed;
  std::vector<Visit> open = {{ExprId(), SharedIn(id)}};
  while (!open.empty()) {
    Visit& visit = open.back();
    if (visit.next == visit.uses.size()) {
      if (visit.shared.valid() && ScopeOf(visit.shared) == scope) needed.push_back(visit.shared);
      open.pop_back();
      continue;
    }
    const ExprId shared = visit.uses[visit.next++];
    if (!done(shared) && seen.insert(shared).second) open.push_back({shared, SharedIn(shared)});
  }
  return needed;
}

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_TRANSLATE_PLACE_SHARED_H_
