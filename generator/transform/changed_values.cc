#include "generator/transform/changed_values.h"

#include "generator/ir/each_body.h"
#include "generator/ir/op.h"
#include "generator/transform/effects.h"

namespace lathe::transform {
namespace {

// Variables that may be the same memory, or parts of the same, are in one set.
class Search {
 public:
  Search(ir::Context& context, const ir::Module& module)
      : context_(context),
        module_(module),
        next_(module.values.size()),
        changed_(module.values.size(), false) {}

  IdVector<ir::ValueId, char> Run() {
    for (int32_t i = 0; i < std::ssize(next_); ++i) next_[ir::ValueId{i}] = ir::ValueId{i};
    bool effects = false;
    ForEachFunction(module_, [&](const ir::Function& f) {
      ForEachBinding(f.body, [&](const ir::Block&, const ir::Binding& b) {
        const auto* call = std::get_if<ir::Call>(&b.rhs);
        effects |= call != nullptr && !IsEffectFree(context_, module_, *call);
      });
    });
    if (!effects) return std::move(changed_);
    ForEachFunction(module_, [&](const ir::Function& f) { In(f); });
    IdVector<ir::ValueId, char> all(module_.values.size(), false);
    for (int32_t i = 0; i < std::ssize(all); ++i) {
      all[ir::ValueId{i}] = changed_[SetOf(ir::ValueId{i})];
    }
    return all;
  }

 private:
  // Whoever calls a function may overwrite what it gives and what it gets.
  void In(const ir::Function& f) {
    for (ir::ValueId param : f.params) Change(param);
    ir::ForEachLeaf(f.body.result, [&](const ir::Operand& leaf) {
      if (const auto* id = leaf.As<ir::ValueId>()) Change(*id);
    });
    In(f.body);
  }

  void In(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) In(binding);
    }
  }

  void In(const ir::Binding& binding) {
    Match(
        binding.rhs, [&](const ir::Operand& operand) { Join(binding.var, operand); },
        [&](const ir::Call& call) { In(binding.var, call); },
        [&](const ir::GetField& get) { Join(binding.var, get.tuple); },
        [&](const ir::MatchCast& cast) { Join(binding.var, cast.value); },
        [&](const ir::If& branch) {
          Join(binding.var, branch.then_body.result);
          Join(binding.var, branch.else_body.result);
          In(branch.then_body);
          In(branch.else_body);
        },
        [&](const ir::Function& f) { In(f); });
  }

  void In(ir::ValueId var, const ir::Call& call) {
    // What an operator computes is memory of its own.
    if (call.op() != nullptr && call.op()->compute != nullptr) return;
    const bool given = call.op() == nullptr || !IsEffectFree(context_, module_, call);
    for (const ir::Operand& arg : call.args) {
      Join(var, arg);
      if (!given) continue;
      ir::ForEachLeaf(arg, [&](const ir::Operand& leaf) {
        if (const auto* id = leaf.As<ir::ValueId>()) Change(*id);
      });
    }
    if (given) Change(var);
  }

  ir::ValueId SetOf(ir::ValueId id) {
    while (next_[id] != id) id = next_[id] = next_[next_[id]];
    return id;
  }

  void Change(ir::ValueId id) { changed_[SetOf(id)] = true; }

  void Join(ir::ValueId var, const ir::Operand& operand) {
    ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
      const auto* id = leaf.As<ir::ValueId>();
      if (id == nullptr) return;
      const ir::ValueId a = SetOf(var), b = SetOf(*id);
      changed_[a] = changed_[a] || changed_[b];
      next_[b] = a;
    });
  }

  ir::Context& context_;
  const ir::Module& module_;
  IdVector<ir::ValueId, ir::ValueId> next_;  // towards the one that stands for the set
  IdVector<ir::ValueId, char> changed_;      // of those that stand for sets
};

}  // namespace

IdVector<ir::ValueId, char> ChangedValues(ir::Context& context, const ir::Module& module) {
  return Search(context, module).Run();
}

}  // namespace lathe::transform
