#include "generator/driver/compare/operator_list.h"

#include <functional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/show_operand.h"
#include "generator/ir/print/print_attr.h"
#include "generator/ir/print/print_prim_func.h"
#include "generator/ir/print_names.h"
#include "generator/support/line_writer.h"
#include "generator/support/match.h"

namespace lathe::driver {
namespace {

class OperatorLister {
 public:
  explicit OperatorLister(const ir::Module& module) : module_(module) {}

  std::vector<ListedOperator> List() {
    for (int32_t i = 0; i < std::ssize(module_.globals); ++i) {
      const ir::Global& global = module_.globals[ir::GlobalId{i}];
      function_ = global.name;
      ListedOperator entry;
      entry.function = entry.name = global.name;
      if (const ir::Function* function = global.function()) {
        entry.op = "function";
        entry.type = Type(function->info);
        list_.push_back(std::move(entry));
        Function(*function);
      } else if (global.prim_func() != nullptr) {
        entry.op = "PrimFunc";
        entry.attrs = TextOf(global);
        list_.push_back(std::move(entry));
      }
    }
    return std::move(list_);
  }

 private:
  static std::string Type(ir::StructInfoRef info) {
    return info == nullptr ? std::string() : ir::ToString(info);
  }

  std::string TextOf(const ir::Global& global) const {
    ir::TypeVars type_vars{{}};
    LineWriter out(4);
    ir::PrintPrimFunc(module_, global, ir::PrintOptions(), type_vars, out);
    return out.Take();
  }

  void Function(const ir::Function& function) {
    for (size_t i = 0; i < function.params.size(); ++i) {
      known_[function.params[i]] = {-1, absl::StrCat("parameter ", i)};
    }
    Body(function.body);
  }

  void Body(const ir::Body& body) {
    for (const ir::Block& block : body.blocks) {
      for (const ir::Binding& binding : block.bindings) Binding(binding);
    }
    // The result is an operand of the function's end, so that another result is a difference.
    ListedOperator end;
    end.function = function_;
    end.op = "result";
    Operand(body.result, end);
    list_.push_back(std::move(end));
  }

  void Binding(const ir::Binding& binding) {
    const ir::Value& value = module_.values[binding.var];
    ListedOperator entry;
    entry.function = function_;
    entry.name = value.name;
    entry.type = Type(value.info);
    Match(
        binding.rhs, [&](const ir::Operand&) { entry.op = "alias"; },
        [&](const ir::Call& call) {
          entry.op = analysis::ShowCallee(module_, call);
          ir::PrintNames names;
          entry.attrs = call.attrs.empty() ? "" : ir::PrintAttrs(call.attrs, names, {}, Type);
          const auto* callee = std::get_if<ir::ValueId>(&call.callee);
          if (callee != nullptr) Operand({*callee}, entry);
          for (ir::StructInfoRef info : call.sinfo_args) absl::StrAppend(&entry.attrs, Type(info));
        },
        [&](const ir::GetField& field) { entry.op = absl::StrCat("field ", field.index); },
        [&](const ir::MatchCast& cast) {
          entry.op = "match_cast";
          entry.attrs = Type(cast.info);
        },
        [&](const ir::If&) { entry.op = "if"; },
        [&](const ir::Function&) { entry.op = "inner function"; });
    ir::ForEachOperand(binding.rhs, [&](const ir::Operand& operand) { Operand(operand, entry); });
    known_[binding.var] = {static_cast<int>(list_.size()), ""};
    list_.push_back(std::move(entry));
    if (const auto* branch = std::get_if<ir::If>(&binding.rhs)) {
      Body(branch->then_body);
      Body(branch->else_body);
    }
    const auto* inner = std::get_if<ir::Function>(&binding.rhs);
    if (inner != nullptr) Function(*inner);
  }

  void Operand(const ir::Operand& operand, ListedOperator& entry) {
    if (const auto* tuple = operand.As<ir::TupleExpr>()) {
      entry.operands.push_back({-1, absl::StrCat("tuple of ", tuple->fields.size())});
      for (const ir::Operand& field : tuple->fields) Operand(field, entry);
      return;
    }
    if (const auto* value = operand.As<ir::ValueId>()) {
      const auto it = known_.find(*value);
      entry.operands.push_back(it == known_.end() ? ListedOperand{-1, "itself"} : it->second);
      return;
    }
    if (const auto* constant = operand.As<ir::ConstantId>()) {
      const ir::Constant& c = module_.constants[*constant];
      entry.operands.push_back({-1, absl::StrCat("constant ", ir::ToString(c.dtype), " (",
                                                 absl::StrJoin(c.shape, ", "), ")")});
      entry.constants.push_back(*constant);
      return;
    }
    if (const auto* shape = operand.As<ir::ShapeExpr>()) {
      std::string text = "shape";
      for (ir::PrimRef dim : shape->values) absl::StrAppend(&text, " ", ir::ToString(dim));
      entry.operands.push_back({-1, std::move(text)});
      return;
    }
    if (const auto* prim = operand.As<ir::PrimValue>()) {
      entry.operands.push_back({-1, ir::ToString(prim->value)});
      return;
    }
    if (const auto* text = operand.As<ir::StringImm>()) {
      entry.operands.push_back({-1, text->value});
      return;
    }
    entry.operands.push_back({-1, analysis::ShowOperand(module_, operand)});
  }

  const ir::Module& module_;
  std::string function_;
  std::vector<ListedOperator> list_;
  absl::flat_hash_map<ir::ValueId, ListedOperand> known_;
};

}  // namespace

std::vector<ListedOperator> ListOperators(const ir::Module& module) {
  return OperatorLister(module).List();
}

}  // namespace lathe::driver
