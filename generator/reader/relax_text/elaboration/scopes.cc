#include "generator/reader/relax_text/elaboration/scopes.h"

#include <algorithm>

#include "generator/support/check.h"

namespace lathe::relax_text {

void Scopes::Push(ScopeKind kind) {
  scopes_.push_back({kind, {}, {}});
  if (kind == ScopeKind::kFunction) ++function_depth_;
}

void Scopes::Pop() {
  Scope scope = std::move(scopes_.back());
  scopes_.pop_back();
  if (scope.kind == ScopeKind::kFunction) --function_depth_;

  std::vector<std::pair<absl::string_view, NameEntry>> kept;
  for (absl::string_view name : scope.kept) {
    if (const auto it = names_.find(name); it != names_.end()) kept.emplace_back(name, it->second);
  }
  for (auto hidden = scope.undo.rbegin(); hidden != scope.undo.rend(); ++hidden) {
    const auto it = names_.find(hidden->name);
    LATHE_CHECK(it != names_.end(), "a name leaves the scope that bound it, once");
    if (hidden->was_bound) {
      it->second = hidden->before;
    } else {
      left_.insert_or_assign(hidden->name, EndedName{scope.kind, it->second.span});
      names_.erase(it);
    }
  }
  if (scopes_.empty()) return;
  for (auto& [name, entry] : kept) Bind(name, std::move(entry));
}

void Scopes::Bind(absl::string_view name, NameEntry entry) {
  entry.function_depth = function_depth_;
  entry.scope_depth = static_cast<int>(scopes_.size());
  const auto [it, inserted] = names_.try_emplace(name);
  scopes_.back().undo.push_back({name, it->second, !inserted});
  it->second = std::move(entry);
}

void Scopes::BindShapeVar(absl::string_view name, ir::PrimRef var, TextSpan span) {
  NameEntry entry;
  entry.scalar = var;
  entry.span = span;
  Bind(name, entry);
  if (innermost() == ScopeKind::kDataflow) Keep(name);
}

void Scopes::Keep(absl::string_view name) { scopes_.back().kept.push_back(name); }

const NameEntry* Scopes::Find(absl::string_view name) const {
  const auto it = names_.find(name);
  return it == names_.end() ? FindOutside(name) : &it->second;
}

const NameEntry* Scopes::FindOutside(absl::string_view name) const {
  if (outside_ == nullptr) return nullptr;
  const auto it = outside_->find(name);
  return it == outside_->end() || it->second.span.begin >= outside_end_ ? nullptr : &it->second;
}

const EndedName* Scopes::FindEnded(absl::string_view name) const {
  const auto it = left_.find(name);
  return it == left_.end() ? nullptr : &it->second;
}

std::vector<absl::string_view> Scopes::Visible() const {
  std::vector<absl::string_view> names;
  names.reserve(names_.size());
  for (const auto& [name, entry] : names_) names.push_back(name);
  if (outside_ != nullptr) {
    for (const auto& [name, entry] : *outside_) {
      if (!names_.contains(name) && FindOutside(name) != nullptr) names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace lathe::relax_text
