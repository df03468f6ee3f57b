#include "generator/reader/relay_text/translate/place_shared.h"

#include <algorithm>
#include <set>

#include "generator/reader/relay_text/syntax/each_expr.h"

namespace lathe::relay {

// Expressions are numbered in the order of the text, so a graph variable has a larger number than
// those that its expression uses. In descending order, all uses of one are known when it is walked.
SharedPlaces::SharedPlaces(const ModuleTree& tree, ExprId body) : tree_(tree) {
  scopes_[body] = {ExprId(), 0};
  Walk(body, body);
  std::set<ExprId> open;
  while (true) {
    open.insert(found_.begin(), found_.end());
    found_.clear();
    if (open.empty()) break;
    const ExprId last = *open.rbegin();
    open.erase(last);
    Walk(last, place_[last]);
  }
}

void SharedPlaces::Enter(ExprId id, ExprId parent) {
  scopes_[id] = {parent, scopes_[parent].depth + 1};
  Walk(id, id);
}

void SharedPlaces::Walk(ExprId id, ExprId scope) {
  const Expr& e = tree_.exprs[id];
  if (const auto* shared = e.As<SharedRef>()) {
    const auto [it, inserted] = place_.try_emplace(shared->target, scope);
    if (inserted) {
      found_.push_back(shared->target);
    } else {
      it->second = CommonScope(it->second, scope);
    }
    return;
  }
  const auto* branch = e.As<IfTree>();
  const auto* match = e.As<MatchTree>();
  ForEachChild(e, [&](ExprId child) {
    const bool body = e.As<Fn>() != nullptr || (branch != nullptr && child != branch->cond) ||
                      (match != nullptr && child != match->value);
    if (body || tree_.exprs[child].As<BlockTree>() != nullptr) {
      Enter(child, scope);
    } else {
      Walk(child, scope);
    }
  });
}

ExprId SharedPlaces::CommonScope(ExprId a, ExprId b) const {
  while (a != b) {
    const Scope& x = scopes_.at(a);
    const Scope& y = scopes_.at(b);
    if (x.depth >= y.depth) {
      a = x.parent;
    } else {
      b = y.parent;
    }
  }
  return a;
}

ExprId SharedPlaces::ScopeOf(ExprId shared) const {
  const auto found = place_.find(shared);
  return found == place_.end() ? ExprId() : found->second;
}

std::vector<ExprId> SharedPlaces::SharedIn(ExprId id) const {
  std::vector<ExprId> shared;
  std::vector<ExprId> open = {id};
  while (!open.empty()) {
    const ExprId next = open.back();
    open.pop_back();
    const Expr& e = tree_.exprs[next];
    if (const auto* ref = e.As<SharedRef>()) shared.push_back(ref->target);
    const size_t first = open.size();
    ForEachChild(e, [&](ExprId child) { open.push_back(child); });
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
  }
  return shared;
}

}  // namespace lathe::relay
