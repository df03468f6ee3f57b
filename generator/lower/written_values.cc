#include "generator/lower/written_values.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "generator/ir/each_body.h"
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

// What a call does with the values that it is given.
struct CallUse {
  std::vector<ValueId> written;
  std::vector<ValueId> kept;  // they may be the result, or part of it
};

class Uses {
 public:
  Uses(const ir::Module& module, const Functions& writers) : module_(module), writers_(writers) {}

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
    for (const Operand& arg : call.args) AddValues(arg, use.kept);
    const auto* id = std::get_if<ValueId>(&call.callee);
    if (id != nullptr) use.kept.push_back(*id);  // a closure gives what it holds
    const auto* known = id == nullptr ? nullptr : module_.values[*id].info->As<ir::FuncInfo>();
    const bool reads = global != nullptr && global->function() != nullptr
                           ? !writers_.contains(*gv)
                           : known != nullptr && known->pure;
    if (!reads) use.written = use.kept;
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

  // Whether what an operator gives may be bytes that it was given. Others compute it anew.
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
  const Functions& writers_;
};

// The values that may lie in the same bytes, as sets.
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

// The values that what is bound to the variable may share bytes with.
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

// The values of `f` that share bytes with what is written, `from` among what is.
Values WrittenIn(const Uses& uses, const ir::Function& f, const std::vector<ValueId>& from) {
  Shares shares;
  std::vector<ValueId> all = f.params, written = from;
  ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& binding) {
    all.push_back(binding.var);
    for (ValueId id : SharedBy(binding.rhs, uses)) shares.Join(binding.var, id);
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr) return;
    for (ValueId id : uses.Of(*call).written) written.push_back(id);
  });
  Values sets, found;
  for (ValueId id : written) sets.insert(shares.Of(id));
  for (ValueId id : all) {
    if (sets.contains(shares.Of(id))) found.insert(id);
  }
  return found;
}

}  // namespace

Functions WritersIn(const ir::Module& module, const analysis::CallGraph& calls) {
  bool any_writes = false;
  ForEachFunction(module, [&](const ir::Function& f) {
    any_writes = any_writes || WritesInPlace(module, f.body);
  });
  Functions writers;
  const Uses uses(module, writers);
  for (bool changed = any_writes; changed;) {
    changed = false;
    for (GlobalId id : calls.callees_first()) {
      const ir::Function* f = module.globals[id].function();
      if (f == nullptr || writers.contains(id)) continue;
      const Values written = WrittenIn(uses, *f, {});
      const bool writes = absl::c_any_of(f->params, [&](ValueId p) { return written.contains(p); });
      if (writes) changed = writers.insert(id).second;
    }
  }
  return writers;
}

WrittenValues::WrittenValues(const Lowering& all, const ir::Function& f, bool in_place_of_call) {
  std::vector<ValueId> result;
  if (in_place_of_call) AddValues(f.body.result, result);
  written_ = WrittenIn(Uses(all.module, all.writers), f, result);
}

}  // namespace lathe::lower
