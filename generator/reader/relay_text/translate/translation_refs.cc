// Translates references. A reference that stays in the function that creates it is a variable whose
// value each write renews: branches return the new values, and functions that use it take the value
// and return the new one. translation_store.cc has the other references.
#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/syntax/each_expr.h"
#include "generator/reader/relay_text/translate/translation.h"

namespace lathe::relay {
namespace {

constexpr absl::string_view kSupportedRefs =
    "supported are references that the program creates; exported functions take and return none";

}  // namespace

bool Translation::IsRef(ExprId id) {
  return !stored_ && types_.Resolve(m_.expr_types[id])->As<RefType>() != nullptr;
}

// Evaluates an expression whose value is a reference.
std::optional<Translation::CellId> Translation::TranslateRef(ExprId id) {
  const Expr& e = At(id);
  if (const auto* local = e.As<LocalRef>()) {
    const auto found = refs_.find(local->var);
    if (found != refs_.end()) return found->second;
  } else if (const auto* shared = e.As<SharedRef>()) {
    const auto found = shared_refs_.find(shared->target);
    if (found != shared_refs_.end()) return found->second;
  } else if (const auto* created = e.As<NewRef>()) {
    if (!IsRef(created->value)) {
      const TypeRef type = TypeAt(id)->As<RefType>()->value;
      const Operand value = Translate(created->value);
      cells_.push_back({Coerce(value, TypeAt(created->value), type, e.loc), type});
      return cells_.size() - 1;
    }
  }
  FailAt(id, absl::StrCat("this use of a reference is not supported; ", kSupportedRefs));
  return std::nullopt;
}

ir::Operand Translation::ReadCell(const ReadRef& read) {
  const std::optional<CellId> cell = TranslateRef(read.ref);
  return cell ? cells_[*cell].value : builder_.Number(0);
}

ir::Operand Translation::WriteCell(const WriteRef& write) {
  const std::optional<CellId> cell = TranslateRef(write.ref);
  const Operand value = Translate(write.value);
  if (cell)
    cells_[*cell].value =
        Coerce(value, TypeAt(write.value), cells_[*cell].type, At(write.value).loc);
  return transform::BlockBuilder::Tuple({});
}

// The references that evaluating these expressions may read or write, themselves or through local
// functions. What graph variables name is left out once it is evaluated, and so are references that
// the expressions create.
std::vector<Translation::CellId> Translation::CellsIn(const std::vector<ExprId>& ids) const {
  if (stored_) return {0};
  if (cells_.empty()) return {};
  absl::flat_hash_set<ExprId> seen;
  absl::flat_hash_set<VarId> created;
  std::vector<ExprId> open = ids;
  std::vector<VarId> mentioned;
  absl::flat_hash_set<CellId> cells;
  const auto add_shared = [&](ExprId target) {
    const auto ref = shared_refs_.find(target);
    if (ref != shared_refs_.end()) cells.insert(ref->second);
    const auto function = shared_effects_.find(target);
    if (function != shared_effects_.end()) {
      cells.insert(function->second.begin(), function->second.end());
    }
    const bool evaluated = shared_.contains(target) || ref != shared_refs_.end();
    if (!evaluated) open.push_back(target);
  };
  while (!open.empty()) {
    const ExprId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const Expr& e = At(id);
    ForEachChild(e, [&](ExprId child) { open.push_back(child); });
    if (const auto* local = e.As<LocalRef>()) mentioned.push_back(local->var);
    if (const auto* shared = e.As<SharedRef>()) add_shared(shared->target);
    if (const auto* block = e.As<BlockTree>()) {
      for (const Item& item : block->items) created.insert(item.var);
    }
  }
  for (const VarId var : mentioned) {
    if (created.contains(var)) continue;
    const auto ref = refs_.find(var);
    if (ref != refs_.end()) cells.insert(ref->second);
    const auto function = effects_.find(var);
    if (function == effects_.end()) continue;
    cells.insert(function->second.begin(), function->second.end());
  }
  std::vector<CellId> sorted(cells.begin(), cells.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// The result of `evaluate`, and the values that it leaves in `cells`; outside, they are unchanged.
ir::Operand Translation::WithCells(const std::vector<CellId>& cells,
                                   const std::function<Operand()>& evaluate) {
  if (cells.empty()) return evaluate();
  const std::vector<Cell> before = cells_;
  Operands fields = {evaluate()};
  for (const CellId cell : cells) fields.push_back(cells_[cell].value);
  cells_ = before;
  return transform::BlockBuilder::Tuple(std::move(fields));
}

// Takes the result and the new values out of what WithCells returned.
ir::Operand Translation::TakeCells(const std::vector<CellId>& cells, Operand evaluated) {
  if (cells.empty()) return evaluated;
  for (size_t i = 0; i < cells.size(); ++i) {
    cells_[cells[i]].value = builder_.Field(evaluated, static_cast<int>(i) + 1);
  }
  return builder_.Field(std::move(evaluated), 0);
}

// The cells of a local function that is called by its name; empty for other callees.
std::vector<Translation::CellId> Translation::EffectsOf(ExprId callee) const {
  if (stored_) return {0};
  if (const auto* local = At(callee).As<LocalRef>()) {
    const auto found = effects_.find(local->var);
    if (found != effects_.end()) return found->second;
  } else if (const auto* shared = At(callee).As<SharedRef>()) {
    const auto found = shared_effects_.find(shared->target);
    if (found != shared_effects_.end()) return found->second;
  }
  return {};
}

bool Translation::RefuseEffects(ExprId function) {
  if (stored_ || CellsIn({function}).empty()) return false;
  FailAt(function, absl::StrCat("a function that uses references, as a value; ", kSupportedRefs));
  return true;
}

}  // namespace lathe::relay
