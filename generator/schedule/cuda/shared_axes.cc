#include "generator/schedule/cuda/shared_axes.h"

#include <algorithm>
#include <utility>

#include "generator/analysis/arithmetic/prove.h"
#include "generator/analysis/arithmetic/substitute.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/rewrite_scalar.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {
namespace {

using ir::PrimRef;

const ir::NestAxis* AxisOf(const RowStage& stage, PrimRef var) {
  for (const auto* axes : {&stage.axes, &stage.reduce}) {
    for (const ir::NestAxis& axis : *axes) {
      if (axis.var == var) return &axis;
    }
  }
  return nullptr;
}

}  // namespace

bool SharedAxes::Rename(PrimRef e, const RowStage& stage,
                        absl::flat_hash_map<PrimRef, PrimRef>& names,
                        absl::flat_hash_set<PrimRef>& seen) const {
  // Shared subexpressions are visited once: names are only added.
  if (!seen.insert(e).second) return true;
  bool fine = true;
  ir::ForEachOperand(e, [&](PrimRef part) { fine = fine && Rename(part, stage, names, seen); });
  const auto* load = e->As<ir::Load>();
  if (!fine || load == nullptr) return fine;
  const auto known = places_.find(load->buffer);
  if (known == places_.end()) return true;
  if (load->predicate != nullptr || load->indices.size() != known->second.size()) return false;
  for (size_t d = 0; d < load->indices.size(); ++d) {
    const PrimRef index = load->indices[d], place = known->second[d];
    if (index == place) continue;
    const ir::NestAxis* axis = AxisOf(stage, index);
    const auto extent = extents_.find(place);
    if (axis == nullptr || extent == extents_.end()) return false;
    if (analysis::ProveEqual(ir_, axis->extent, extent->second) != ir::Tri::kYes) return false;
    if (const auto it = names.find(index); it != names.end()) {
      if (it->second != place) return false;
      continue;
    }
    // Two axes of the stage must not map to the same axis.
    for (const auto& [var, name] : names) fine = fine && name != place;
    names[index] = place;
  }
  return fine;
}

PrimRef SharedAxes::Inlined(PrimRef e) const {
  if (e == nullptr) return nullptr;
  nest::RewriteScalar rewrite(ir_);
  for (const auto& [buffer, value] : values_) rewrite.ReplaceLoads(buffer, value);
  return rewrite(e);
}

std::optional<RowStage> SharedAxes::Rewrite(RowStage stage) {
  nest::RewriteScalar rewrite(ir_);
  for (const auto& [var, value] : lets_) rewrite.Replace(var, value);
  for (auto* axes : {&stage.axes, &stage.reduce}) {
    for (ir::NestAxis& axis : *axes) axis.extent = rewrite(axis.extent);
  }
  for (const PlacedLet& placed : stage.outer) {
    rewrite.Replace(placed.let.var, rewrite(placed.let.value));
  }
  for (const auto* lets : {&stage.fold_lets, &stage.lets}) {
    for (const ir::NestLet& let : *lets) rewrite.Replace(let.var, rewrite(let.value));
  }
  stage.outer.clear();
  stage.fold_lets.clear();
  stage.lets.clear();
  stage.term = rewrite(stage.term);
  stage.value = rewrite(stage.value);
  stage.at = rewrite(stage.at);

  absl::flat_hash_map<PrimRef, PrimRef> names;
  absl::flat_hash_set<PrimRef> seen;
  for (PrimRef e : {stage.term, stage.value}) {
    if (e != nullptr && !Rename(e, stage, names, seen)) return std::nullopt;
  }
  nest::RewriteScalar renamed(ir_);
  for (const auto& [var, name] : names) renamed.Replace(var, name);
  for (auto* axes : {&stage.axes, &stage.reduce}) {
    for (ir::NestAxis& axis : *axes) {
      axis.var = renamed(axis.var);
      extents_.try_emplace(axis.var, axis.extent);
    }
  }
  stage.term = Inlined(renamed(stage.term));
  stage.value = Inlined(renamed(stage.value));
  stage.at = renamed(stage.at);
  return stage;
}

bool SharedAxes::Record(const RowStage& stage, bool keeps_loads) {
  std::vector<PrimRef> left;
  for (const ir::NestAxis& axis : stage.axes) left.push_back(axis.var);
  for (PrimRef index : stage.at) {
    const auto axis = std::find(left.begin(), left.end(), index);
    if (axis != left.end()) {
      left.erase(axis);
    } else if (!nest::Number(index)) {
      return false;
    }
  }
  if (!left.empty() || places_.contains(stage.to)) return false;
  places_[stage.to] = stage.at;
  values_[stage.to] = keeps_loads ? ir_.MakeLoad(stage.to, stage.at) : stage.value;
  return true;
}

}  // namespace lathe::schedule
