#include "generator/interp/mentions.h"

#include "absl/container/flat_hash_set.h"

namespace lathe::interp {
namespace {

class Collector {
 public:
  Collector(ScalarEvaluator& scalars, Mentions* out) : scalars_(scalars), out_(out) {}

  void Add(ir::ValueId id) {
    if (seen_values_.insert(id.index).second) out_->values.push_back(id);
  }

  void Add(ir::PrimRef e) {
    if (e == nullptr || !seen_exprs_.insert(e).second) return;
    for (ir::PrimRef var : scalars_.VarsOf(e)) {
      if (seen_vars_.insert(var).second) out_->shape_vars.push_back(var);
    }
  }

  // Infos are shared, so each is visited once.
  void Add(ir::StructInfoRef info) {
    if (info == nullptr || !seen_infos_.insert(info).second) return;
    const auto all = [&](const auto& list) {
      for (const auto& item : list) Add(item);
    };
    Match(
        info->node(), [](const ir::ObjectInfo&) {}, [&](const ir::PrimInfo& p) { Add(p.value); },
        [&](const ir::ShapeInfo& s) {
          if (s.values) all(*s.values);
        },
        [&](const ir::TensorInfo& t) {
          if (t.dims() != nullptr) all(*t.dims());
          if (t.shape_var() != nullptr) Add(*t.shape_var());
        },
        [&](const ir::TupleInfo& t) { all(t.fields); },
        [&](const ir::FuncInfo& f) {
          if (f.params) all(*f.params);
          Add(f.ret);
        });
  }

  void Add(const ir::Operand& operand) {
    ForEachLeaf(operand, [&](const ir::Operand& leaf) {
      if (const auto* id = leaf.As<ir::ValueId>()) Add(*id);
      if (const auto* shape = leaf.As<ir::ShapeExpr>()) {
        for (ir::PrimRef dim : shape->values) Add(dim);
      }
      if (const auto* prim = leaf.As<ir::PrimValue>()) Add(prim->value);
    });
  }

  void Add(const ir::Rhs& rhs, const ir::Module& module) {
    ForEachOperand(rhs, [&](const ir::Operand& o) { Add(o); });
    if (const auto* call = std::get_if<ir::Call>(&rhs)) {
      if (const auto* callee = std::get_if<ir::ValueId>(&call->callee)) Add(*callee);
      for (ir::StructInfoRef info : call->sinfo_args) Add(info);
      for (const auto& [key, value] : call->attrs) {
        ForEachExpr(value, [&](ir::PrimRef e) { Add(e); });
      }
    }
    if (const auto* cast = std::get_if<ir::MatchCast>(&rhs)) Add(cast->info);
    if (const auto* branch = std::get_if<ir::If>(&rhs)) {
      Add(branch->then_body, module);
      Add(branch->else_body, module);
    }
    if (const auto* f = std::get_if<ir::Function>(&rhs)) Add(*f, module);
  }

  void Add(const ir::Body& body, const ir::Module& module) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) Add(binding.rhs, module);
    }
    Add(body.result);
  }

  void Add(const ir::Function& f, const ir::Module& module) {
    for (ir::ValueId param : f.params) Add(module.values[param].annotation);
    // The derived result is part of the structure of the closure.
    Add(f.ret != nullptr ? f.ret : f.ret_info);
    Add(f.body, module);
  }

 private:
  ScalarEvaluator& scalars_;
  Mentions* out_;
  absl::flat_hash_set<int32_t> seen_values_;
  absl::flat_hash_set<ir::PrimRef> seen_exprs_;
  absl::flat_hash_set<ir::PrimRef> seen_vars_;
  absl::flat_hash_set<ir::StructInfoRef> seen_infos_;
};

}  // namespace

Mentions MentionsOf(const ir::Function& f, const ir::Module& module, ScalarEvaluator& scalars) {
  Mentions out;
  Collector(scalars, &out).Add(f, module);
  return out;
}

Mentions MentionsOf(ir::StructInfoRef info, ScalarEvaluator& scalars) {
  Mentions out;
  Collector(scalars, &out).Add(info);
  return out;
}

}  // namespace lathe::interp
