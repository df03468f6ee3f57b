#include "generator/transform/canonicalize_bindings.h"

#include <utility>

#include "absl/container/flat_hash_map.h"
#include "generator/analysis/derive/known_info.h"
#include "generator/ir/each_body.h"
#include "generator/transform/consolidate_blocks.h"
#include "generator/transform/mark_dataflow_vars.h"
#include "generator/transform/overwritten_values.h"
#include "generator/transform/replace_variables.h"
#include "generator/transform/same_info.h"

namespace lathe::transform {
namespace {

using ir::Operand;
using ir::PrimRef;
using ir::StructInfoRef;
using ir::ValueId;

class Canonicalization {
 public:
  Canonicalization(ir::Context& context, ir::Module& module)
      : context_(context),
        module_(module),
        replacement_(context, module),
        changed_(OverwrittenValues(context, module)),
        bound_(BoundShapeVars(module)) {
    ForEachFunction(module, [&](const ir::Function& f) { CountBinders(f); });
  }

  void In(ir::Body& body) {
    for (ir::Block& block : body.blocks) {
      std::vector<ir::Binding> kept;
      for (ir::Binding& binding : block.bindings) {
        replacement_.In(binding);
        if (Remove(binding)) continue;
        ForEachBody(binding.rhs, [&](ir::Body& inner) { In(inner); });
        kept.push_back(std::move(binding));
      }
      block.bindings = std::move(kept);
    }
    replacement_.In(body.result);
    ConsolidateBlocks(body);
  }

 private:
  // Shape variables that several parameters or casts bind (in two branches, say) are kept.
  void CountBinders(const ir::Function& f) {
    const auto count = [&](StructInfoRef info) {
      if (info == nullptr) return;
      for (PrimRef var : analysis::BindingVars(info)) ++binders_[var];
    };
    const auto params = [&](const ir::Function& g) {
      for (ValueId param : g.params) count(module_.values[param].annotation);
    };
    params(f);
    ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& binding) {
      if (const auto* cast = std::get_if<ir::MatchCast>(&binding.rhs)) count(cast->info);
      if (const auto* inner = std::get_if<ir::Function>(&binding.rhs)) params(*inner);
    });
  }

  // True when the variable is replaced.
  bool Remove(ir::Binding& binding) {
    if (auto* get = std::get_if<ir::GetField>(&binding.rhs)) {
      const Operand* field = FieldOf(*get);
      if (field != nullptr) return Stand(binding.var, Operand(*field));
      if (const auto* tuple = get->tuple.As<ValueId>()) {
        fields_[binding.var] = {*tuple, get->index};
      }
      return false;
    }
    if (auto* operand = std::get_if<Operand>(&binding.rhs)) {
      if (const auto* tuple = operand->As<ir::TupleExpr>()) {
        if (const auto whole = WholeOf(*tuple)) return Stand(binding.var, Operand{*whole});
        tuples_[binding.var] = *operand;
        return false;
      }
      return Stand(binding.var, *operand);
    }
    const auto* cast = std::get_if<ir::MatchCast>(&binding.rhs);
    return cast != nullptr && RemoveCast(binding.var, *cast);
  }

  const Operand* FieldOf(const ir::GetField& get) const {
    const Operand* operand = &get.tuple;
    if (const auto* id = operand->As<ValueId>()) {
      const auto it = tuples_.find(*id);
      if (it == tuples_.end()) return nullptr;
      operand = &it->second;
    }
    const auto* tuple = operand->As<ir::TupleExpr>();
    const bool there = tuple != nullptr && get.index >= 0 && get.index < std::ssize(tuple->fields);
    return there ? &tuple->fields[get.index] : nullptr;
  }

  // (t[0], t[1]) is t when t has two fields.
  std::optional<ValueId> WholeOf(const ir::TupleExpr& tuple) const {
    std::optional<ValueId> whole;
    for (size_t i = 0; i < tuple.fields.size(); ++i) {
      const auto* id = tuple.fields[i].As<ValueId>();
      const auto it = id == nullptr ? fields_.end() : fields_.find(*id);
      if (it == fields_.end() || it->second.second != static_cast<int>(i)) return std::nullopt;
      if (whole && *whole != it->second.first) return std::nullopt;
      whole = it->second.first;
    }
    if (!whole) return std::nullopt;
    const auto* info = module_.values[*whole].info->As<ir::TupleInfo>();
    if (info == nullptr || info->fields.size() != tuple.fields.size()) return std::nullopt;
    return whole;
  }

  // A cast that cannot fail: its shape variables are replaced by the matched dimensions.
  bool RemoveCast(ValueId var, const ir::MatchCast& cast) {
    StructInfoRef from = analysis::KnownInfo(context_, module_, cast.value);
    const auto is_new = [&](PrimRef dim) { return binders_[dim] == 1; };
    analysis::ShapeVarMap mapping;
    analysis::AddShapeVarMapping(cast.info, from, is_new, mapping);
    for (PrimRef dim : analysis::BindingVars(cast.info)) {
      if (is_new(dim) && !mapping.contains(dim)) return false;
    }
    if (!Same(analysis::Substitute(context_, cast.info, mapping), from)) return false;
    if (!CanReplace(var, cast.value, mapping)) return false;
    for (PrimRef dim : analysis::BindingVars(cast.info)) {
      const auto it = mapping.find(dim);
      if (it != mapping.end() && it->second != dim) replacement_.Set(dim, it->second);
    }
    Replace(var, cast.value);
    return true;
  }

  bool Same(StructInfoRef a, StructInfoRef b) { return SameInfo(context_, module_, bound_, a, b); }

  // True when `by` may replace the variable, with `bound` substituted in its annotation.
  bool CanReplace(ValueId var, const Operand& by, const analysis::ShapeVarMap& bound) {
    const ir::Value& value = module_.values[var];
    if (by.As<ir::TupleExpr>() != nullptr) return false;
    // Each evaluation of a constant allocates new memory.
    if (changed_[var] && by.As<ir::ConstantId>() != nullptr) return false;
    if (value.annotation == nullptr) return true;
    StructInfoRef annotation =
        analysis::Substitute(context_, replacement_.In(value.annotation), bound);
    return Same(annotation, analysis::KnownInfo(context_, module_, by));
  }

  bool Stand(ValueId var, Operand by) {
    if (!CanReplace(var, by, {})) return false;
    Replace(var, std::move(by));
    return true;
  }

  void Replace(ValueId var, Operand by) {
    const ir::Value& value = module_.values[var];
    // The user named the outputs of a dataflow block.
    if (const auto* other = by.As<ValueId>()) {
      ir::Value& stays = module_.values[*other];
      if (stays.dataflow && !value.dataflow && renamed_.insert(*other).second) {
        stays.name = value.name;
      }
    }
    replacement_.Set(var, std::move(by));
  }

  ir::Context& context_;
  ir::Module& module_;
  Replacement replacement_;
  const IdVector<ValueId, char> changed_;
  const analysis::ShapeScope bound_;
  absl::flat_hash_map<PrimRef, int> binders_;
  absl::flat_hash_map<ValueId, Operand> tuples_;
  absl::flat_hash_map<ValueId, std::pair<ValueId, int>> fields_;  // tuple and index
  absl::flat_hash_set<ValueId> renamed_;
};

}  // namespace

void CanonicalizeBindings(ir::Context& context, ir::Module& module) {
  Canonicalization canonicalization(context, module);
  ForEachFunction(module, [&](ir::Function& f) { canonicalization.In(f.body); });
  MarkDataflowVars(module);
}

}  // namespace lathe::transform
