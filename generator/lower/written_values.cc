#include "generator/lower/written_values.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "generator/ir/each_body.h"
#include "generator/lower/param_roots.h"
#include "generator/lower/routine_builder.h"
#include "generator/lower/stored_params.h"
#include "generator/ops/call_tir.h"
#include "generator/transform/effects.h"

namespace lathe::lower {
namespace {

using ir::GlobalId;
using ir::Operand;
using ir::ValueId;

using Values = absl::flat_hash_set<ValueId>;

void AddValues(const Operand& operand, std::vector<ValueId>& to) {
  if (const auto* id = operand.As<ValueId>()) to.push_back(*id);
  const auto* tuple = operand.As<ir::TupleExpr>();
  if (tuple == nullptr) return;
  for (const Operand& field : tuple->fields) AddValues(field, to);
}

// The effects of a call on its arguments.
struct CallUse {
  std::vector<ValueId> written;
  std::vector<ValueId> kept;  // may be the result or part of it
};

class Uses {
 public:
  Uses(const ir::Module& module, const FunctionEffects& effects)
      : module_(module), effects_(effects) {}

  CallUse Of(const ir::Call& call) const {
    CallUse use;
    if (const ir::Op* op = call.op()) {
      OfOperator(*op, call, use);
      return use;
    }
    const auto* gv = std::get_if<GlobalId>(&call.callee);
    const ir::Global* global = gv == nullptr ? nullptr : &module_.globals[*gv];
    const ir::PrimFunc* kernel = global == nullptr ? nullptr : global->prim_func();
    if (kernel != nullptr) {
      const StoredParams stored(*kernel);
      for (size_t i = 0; i < call.args.size() && i < kernel->params.size(); ++i) {
        if (stored.Has(i)) AddValues(call.args[i], use.written);
      }
      return use;
    }
    if (global != nullptr && global->function() != nullptr) {
      for (size_t i = 0; i < call.args.size(); ++i) {
        if (effects_.Keeps(*gv, i)) AddValues(call.args[i], use.kept);
        if (effects_.Writes(*gv, i)) AddValues(call.args[i], use.written);
      }
      return use;
    }
    for (const Operand& arg : call.args) AddValues(arg, use.kept);
    const auto* id = std::get_if<ValueId>(&call.callee);
    if (id != nullptr) use.kept.push_back(*id);  // a closure returns its captured values
    const auto* known = id == nullptr ? nullptr : module_.values[*id].info->As<ir::FuncInfo>();
    if (known == nullptr || !known->pure) use.written = use.kept;
    return use;
  }

 private:
  static void OfOperator(const ir::Op& op, const ir::Call& call, CallUse& use) {
    const bool tir_inplace = op.name == "relax.call_tir_inplace";
    const auto* args = tir_inplace ? call.args[1].As<ir::TupleExpr>() : nullptr;
    if (args != nullptr) {
      for (int64_t index : ops::InplaceIndices(call, 0)) {
        if (index < 0 || index >= std::ssize(args->fields)) continue;
        AddValues(args->fields[static_cast<size_t>(index)], use.written);
      }
      use.kept = use.written;
      return;
    }
    if (!IsOfBytes(op)) return;
    for (const Operand& arg : call.args) AddValues(arg, use.kept);
    if (transform::IsInplace(op) || MayWriteArguments(op)) use.written = use.kept;
  }

  static bool MayWriteArguments(const ir::Op& op) {
    return op.name == "relax.call_builtin_with_ctx" || op.name == "relax.vm.call_tir_dyn" ||
           op.name == "relax.invoke_closure";
  }

  // Returns whether the operator's result may share memory with its argument. Other results are
  // new.
  static bool IsOfBytes(const ir::Op& op) {
    for (absl::string_view prefix :
         {"relax.memory.", "relax.vm.", "relax.grad.", "relax.builtin.", "relax.dist.annotate",
          "relax.invoke_", "relax.call_builtin", "relax.call_inplace", "relax.call_pure_packed"}) {
      if (absl::StartsWith(op.name, prefix)) return true;
    }
    return op.name == "relax.make_closure" || op.name == "relax.to_vdevice" ||
           op.name == "relax.hint_on_device" || transform::IsInplace(op);
  }

  const ir::Module& module_;
  const FunctionEffects& effects_;
};

// Sets of values that may share memory.
class Shares {
 public:
  ValueId Of(ValueId id) {
    for (auto it = same_.find(id); it != same_.end(); it = same_.find(id)) id = it->second;
    return id;
  }
  void Join(ValueId a, ValueId b) {
    a = Of(a);
    b = Of(b);
    if (a == b) return;
    if (size_[a] > size_[b]) std::swap(a, b);
    size_[b] += size_[a] + 1;
    same_[a] = b;
  }

 private:
  absl::flat_hash_map<ValueId, ValueId> same_;
  absl::flat_hash_map<ValueId, int> size_;
};

// Returns the values that may share memory with the value bound to a variable.
std::vector<ValueId> SharedBy(const ir::Rhs& rhs, const Uses& uses) {
  std::vector<ValueId> values;
  if (const auto* operand = std::get_if<Operand>(&rhs)) AddValues(*operand, values);
  if (const auto* field = std::get_if<ir::GetField>(&rhs)) AddValues(field->tuple, values);
  if (const auto* cast = std::get_if<ir::MatchCast>(&rhs)) AddValues(cast->value, values);
  if (const auto* branch = std::get_if<ir::If>(&rhs)) {
    AddValues(branch->then_body.result, values);
    AddValues(branch->else_body.result, values);
  }
  if (const auto* call = std::get_if<ir::Call>(&rhs)) values = uses.Of(*call).kept;
  return values;
}

// The values of a function that may share memory, and those that are written.
class FunctionShares {
 public:
  FunctionShares(const Uses& uses, const ir::Function& f) : all_(f.params) {
    ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& binding) {
      all_.push_back(binding.var);
      for (ValueId id : SharedBy(binding.rhs, uses)) shares_.Join(binding.var, id);
      const auto* call = std::get_if<ir::Call>(&binding.rhs);
      if (call == nullptr) return;
      for (ValueId id : uses.Of(*call).written) written_.push_back(id);
    });
  }

  void Write(const std::vector<ValueId>& values) {
    written_.insert(written_.end(), values.begin(), values.end());
  }

  // Returns the values that share memory with a written value.
  Values Written() { return SharingWith(written_); }

  Values SharingWith(const std::vector<ValueId>& some) {
    Values sets, found;
    for (ValueId id : some) sets.insert(shares_.Of(id));
    for (ValueId id : all_) {
      if (sets.contains(shares_.Of(id))) found.insert(id);
    }
    return found;
  }

 private:
  Shares shares_;
  std::vector<ValueId> all_, written_;
};

// Computes the effects of `f` on its parameters, assuming `effects` for its callees.
ParamEffects EffectsOf(const ir::Module& module, const FunctionEffects& effects,
                       const ir::Function& f) {
  FunctionShares shares(Uses(module, effects), f);
  std::vector<ValueId> result;
  AddValues(f.body.result, result);
  const Values written = shares.Written(), kept = shares.SharingWith(result);
  ParamEffects own;
  bool writes = false;
  for (ValueId param : f.params) {
    own.writes.push_back(written.contains(param) ? 1 : 0);
    own.keeps.push_back(kept.contains(param) ? 1 : 0);
    writes = writes || own.writes.back() != 0;
  }
  if (!writes) return own;
  const ParamRoots roots(module, effects, f);
  if (roots.written() == nullptr) return own;
  for (size_t i = 0; i < own.writes.size(); ++i) {
    if (!roots.written()->contains(static_cast<int>(i))) own.writes[i] = 0;
  }
  return own;
}

}  // namespace

FunctionEffects AnalyzeEffects(const ir::Module& module, const analysis::CallGraph& calls) {
  bool any_writes = false;
  ForEachFunction(module, [&](const ir::Function& f) {
    any_writes = any_writes || WritesInPlace(module, f.body);
  });
  FunctionEffects effects;
  if (!any_writes) return effects;
  const auto each = [&](absl::FunctionRef<void(GlobalId, const ir::Function&)> visit) {
    for (GlobalId id : calls.callees_first()) {
      const ir::Function* f = module.globals[id].function();
      if (f != nullptr) visit(id, *f);
    }
  };
  // Iterates to a fixed point, because functions may call each other.
  each([&](GlobalId id, const ir::Function& f) {
    const std::vector<char> none(f.params.size(), 0);
    effects.Set(id, {none, none});
  });
  for (bool changed = true; changed;) {
    changed = false;
    each([&](GlobalId id, const ir::Function& f) {
      changed = effects.Add(id, EffectsOf(module, effects, f)) || changed;
    });
  }
  return effects;
}

WrittenValues::WrittenValues(const Lowering& lowering, const ir::Function& f,
                             bool in_place_of_call) {
  FunctionShares shares(Uses(lowering.module, lowering.effects), f);
  std::vector<ValueId> result;
  if (in_place_of_call) AddValues(f.body.result, result);
  shares.Write(result);
  written_ = shares.Written();
}

}  // namespace lathe::lower
