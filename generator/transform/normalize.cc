#include "generator/transform/normalize.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "generator/ir/op.h"
#include "generator/support/match.h"

namespace lathe::transform {
namespace {

using ir::Binding;
using ir::Block;
using ir::Body;
using ir::Operand;
using ir::StructInfoRef;
using ir::ValueId;

// Edits are collected first and applied afterwards, so that pointers to definitions stay valid.
struct Edit {
  Block* block;
  size_t index;  // of the binding
  std::vector<Binding> before;
  ir::Call call;
};

class Normalizer : public ir::NormalizeContext {
 public:
  Normalizer(ir::Context& context, ir::Module& module) : context_(context), module_(module) {}

  bool Run() {
    const auto each_function = [&](auto visit) {
      for (size_t i = 0; i < module_.globals.size(); ++i) {
        ir::Global& global = module_.globals[ir::GlobalId{static_cast<int>(i)}];
        if (ir::Function* function = global.function()) visit(function->body);
      }
    };
    each_function([&](Body& body) { Define(body); });
    each_function([&](Body& body) { Visit(body); });
    // From the last to the first, so that earlier indices stay valid.
    for (auto edit = edits_.rbegin(); edit != edits_.rend(); ++edit) {
      std::vector<Binding>& bindings = edit->block->bindings;
      bindings[edit->index].rhs = std::move(edit->call);
      bindings.insert(bindings.begin() + static_cast<std::ptrdiff_t>(edit->index),
                      std::make_move_iterator(edit->before.begin()),
                      std::make_move_iterator(edit->before.end()));
    }
    return !edits_.empty();
  }

  ir::Context& ir() override { return context_; }
  const ir::Module& module() const override { return module_; }

  StructInfoRef InfoOf(const Operand& operand) const override {
    return Match(
        operand.node, [&](const ValueId& id) { return Known(module_.values[id].info); },
        [&](const ir::ConstantId& id) {
          const ir::Constant& constant = module_.constants[id];
          std::vector<ir::PrimRef> dims;
          for (int64_t dim : constant.shape) dims.push_back(context_.Int(dim));
          return context_.Tensor(std::move(dims), constant.dtype);
        },
        [&](const ir::ShapeExpr& shape) { return context_.Shape(shape.values); },
        [&](const ir::PrimValue& prim) { return context_.Prim(prim.value->dtype(), prim.value); },
        [&](const ir::StringImm&) { return context_.Object(); },
        [&](const ir::DTypeImm&) { return context_.Object(); },
        [&](const ir::TupleExpr& tuple) {
          std::vector<StructInfoRef> fields;
          for (const Operand& field : tuple.fields) fields.push_back(InfoOf(field));
          return context_.Tuple(std::move(fields));
        },
        [&](const ir::GlobalId& id) {
          const ir::Function* function = module_.globals[id].function();
          return Known(function == nullptr ? nullptr : function->info);
        },
        [&](const ir::ExternFunc& func) { return Known(func.info); });
  }

  const ir::Rhs* DefinitionOf(ValueId id) const override {
    const auto it = definitions_.find(id.index);
    return it == definitions_.end() ? nullptr : it->second;
  }

  ValueId Emit(ir::Rhs rhs, absl::string_view name) override {
    ir::Value value;
    value.name = std::string(name);
    value.dataflow = edit_.block->dataflow;
    value.info = InfoOf(rhs);
    const ValueId id = module_.values.Add(std::move(value));
    edit_.before.push_back({id, std::move(rhs), edit_.block->bindings[edit_.index].loc});
    return id;
  }

 private:
  StructInfoRef Known(StructInfoRef info) const {
    return info == nullptr ? context_.Object() : info;
  }

  StructInfoRef InfoOf(const ir::Rhs& rhs) const {
    return Match(
        rhs, [&](const Operand& operand) { return InfoOf(operand); },
        [&](const ir::Call&) { return context_.Object(); },
        [&](const ir::GetField& get) {
          const auto* tuple = InfoOf(get.tuple)->As<ir::TupleInfo>();
          const bool known = tuple != nullptr && get.index >= 0 &&
                             get.index < static_cast<int>(tuple->fields.size());
          return known ? tuple->fields[get.index] : context_.Object();
        },
        [&](const ir::MatchCast& cast) { return cast.info; },
        [&](const ir::If&) { return context_.Object(); },
        [&](const ir::Function& function) { return Known(function.info); });
  }

  // Visits the bodies that a right-hand side owns.
  template <typename F>
  static void ForEachBody(ir::Rhs& rhs, F visit) {
    if (auto* choice = std::get_if<ir::If>(&rhs)) {
      visit(choice->then_body);
      visit(choice->else_body);
    } else if (auto* function = std::get_if<ir::Function>(&rhs)) {
      visit(function->body);
    }
  }

  void Define(Body& body) {
    for (Block& block : body.blocks) {
      for (Binding& binding : block.bindings) {
        definitions_[binding.var.index] = &binding.rhs;
        ForEachBody(binding.rhs, [&](Body& inner) { Define(inner); });
      }
    }
  }

  void Visit(Body& body) {
    for (Block& block : body.blocks) {
      for (size_t i = 0; i < block.bindings.size(); ++i) {
        ir::Rhs& rhs = block.bindings[i].rhs;
        ForEachBody(rhs, [&](Body& inner) { Visit(inner); });
        const auto* call = std::get_if<ir::Call>(&rhs);
        if (call == nullptr || call->op() == nullptr || call->op()->normalize == nullptr) continue;
        edit_ = {&block, i, {}, *call};
        if (call->op()->normalize(*this, edit_.call)) edits_.push_back(std::move(edit_));
      }
    }
  }

  ir::Context& context_;
  ir::Module& module_;
  absl::flat_hash_map<int, const ir::Rhs*> definitions_;
  std::vector<Edit> edits_;
  Edit edit_{};
};

}  // namespace

bool Normalize(ir::Context& context, ir::Module& module) {
  return Normalizer(context, module).Run();
}

}  // namespace lathe::transform
