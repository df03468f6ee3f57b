#include "generator/transform/overwritten_values.h"

#include "generator/ir/each_body.h"
#include "generator/ir/op.h"
#include "generator/transform/effects.h"

namespace lathe::transform {
namespace {

// A set contains variables that may share memory.
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
    ForEachFunction(module_, [&](const ir::Function& f) { In(f.body); });
    IdVector<ir::ValueId, char> all(module_.values.size(), false);
    for (int32_t i = 0; i < std::ssize(all); ++i) {
      all[ir::ValueId{i}] = changed_[SetOf(ir::ValueId{i})];
    }
    return all;
  }

 private:
  // Unknown callers may overwrite arguments and results.
  void CalledByAny(const ir::Function& f) {
    for (ir::ValueId param : f.params) Change(param);
    Change(f.body.result);
  }
  // A function that is used as a value may be called from anywhere.
  void Escape(const ir::Operand& operand) {
    ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
      const auto* id = leaf.As<ir::GlobalId>();
      const ir::Function* f = id == nullptr ? nullptr : module_.globals[*id].function();
      if (f != nullptr) CalledByAny(*f);
    });
  }

  void In(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) In(binding);
    }
    Escape(body.result);
  }

  void In(const ir::Binding& binding) {
    Match(
        binding.rhs,
        [&](const ir::Operand& operand) {
          Escape(operand);
          Join(binding.var, operand);
        },
        [&](const ir::Call& call) { In(binding.var, call); },
        [&](const ir::GetField& get) { Join(binding.var, get.tuple); },
        [&](const ir::MatchCast& cast) { Join(binding.var, cast.value); },
        [&](const ir::If& branch) {
          Join(binding.var, branch.then_body.result);
          Join(binding.var, branch.else_body.result);
          In(branch.then_body);
          In(branch.else_body);
        },
        [&](const ir::Function& f) {
          CalledByAny(f);
          In(f.body);
        });
  }

  void In(ir::ValueId var, const ir::Call& call) {
    for (const ir::Operand& arg : call.args) Escape(arg);
    // Operators compute into new memory.
    const ir::Op* op = call.op();
    if (op != nullptr && (op->compute != nullptr || op->name == "relax.call_tir")) return;
    const auto* global = std::get_if<ir::GlobalId>(&call.callee);
    const ir::Function* f = global == nullptr ? nullptr : module_.globals[*global].function();
    if (f != nullptr && f->params.size() == call.args.size()) {
      for (size_t i = 0; i < call.args.size(); ++i) Join(f->params[i], call.args[i]);
      Join(var, f->body.result);
      return;
    }
    const bool given = op == nullptr || !IsEffectFree(context_, module_, call);
    for (const ir::Operand& arg : call.args) {
      Join(var, arg);
      if (given) Change(arg);
    }
    if (given) Change(var);
  }

  ir::ValueId SetOf(ir::ValueId id) {
    while (next_[id] != id) id = next_[id] = next_[next_[id]];
    return id;
  }

  void Change(ir::ValueId id) { changed_[SetOf(id)] = true; }
  void Change(const ir::Operand& operand) {
    ir::ForEachLeaf(operand, [&](const ir::Operand& leaf) {
      if (const auto* id = leaf.As<ir::ValueId>()) Change(*id);
    });
  }

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
  IdVector<ir::ValueId, ir::ValueId> next_;  // parent in the union-find forest
  IdVector<ir::ValueId, char> changed_;      // by representative of the set
};

}  // namespace

IdVector<ir::ValueId, char> OverwrittenValues(ir::Context& context, const ir::Module& module) {
  return Search(context, module).Run();
}

}  // namespace lathe::transform
