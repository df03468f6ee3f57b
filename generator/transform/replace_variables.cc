#include "generator/transform/replace_variables.h"

#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "generator/ir/op.h"

namespace lathe::transform {

void Replacement::Set(ir::ValueId var, ir::Operand by) {
  if (const auto* other = by.As<ir::ValueId>()) {
    shapes_[var] = *other;
  } else if (const auto* shape = by.As<ir::ShapeExpr>()) {
    shapes_[var] = shape->values;
  } else {
    shapes_[var] = std::monostate();
  }
  values_[var] = std::move(by);
}

const ir::Operand* Replacement::Find(ir::ValueId var) const {
  const auto it = values_.find(var);
  return it == values_.end() ? nullptr : &it->second;
}

ir::PrimRef Replacement::In(ir::PrimRef e) const {
  return e == nullptr ? e : analysis::Substitute(context_, e, shape_vars_);
}

ir::StructInfoRef Replacement::In(ir::StructInfoRef info) const {
  return info == nullptr ? info : analysis::Substitute(context_, info, shape_vars_, shapes_);
}

void Replacement::In(ir::Operand& operand) {
  if (const auto* id = operand.As<ir::ValueId>()) {
    if (const ir::Operand* by = Find(*id)) operand = ir::Operand(*by);
  } else if (auto* tuple = operand.As<ir::TupleExpr>()) {
    for (ir::Operand& field : tuple->fields) In(field);
  } else if (auto* shape = operand.As<ir::ShapeExpr>()) {
    for (ir::PrimRef& e : shape->values) e = In(e);
  } else if (auto* prim = operand.As<ir::PrimValue>()) {
    prim->value = In(prim->value);
  } else if (auto* f = operand.As<ir::ExternFunc>()) {
    f->info = In(f->info);
  }
}

void Replacement::In(ir::AttrValue& value) {
  if (auto* e = std::get_if<ir::PrimRef>(&value.node)) {
    *e = In(*e);
  } else if (auto* info = std::get_if<ir::StructInfoRef>(&value.node)) {
    *info = In(*info);
  } else if (auto* list = std::get_if<ir::AttrList>(&value.node)) {
    for (ir::AttrValue& item : *list) In(item);
  } else if (auto* map = std::get_if<ir::AttrMap>(&value.node)) {
    for (auto& [key, item] : *map) In(item);
  } else if (auto* lambda = std::get_if<std::shared_ptr<const ir::IndexMap>>(&value.node)) {
    // Its parameters are local and never replaced.
    ir::IndexMap changed = **lambda;
    for (ir::PrimRef& output : changed.outputs) output = In(output);
    *lambda = std::make_shared<const ir::IndexMap>(std::move(changed));
  }
}

void Replacement::In(ir::Call& call) {
  if (const auto* id = std::get_if<ir::ValueId>(&call.callee)) {
    const ir::Operand* by = Find(*id);
    if (by != nullptr) {
      if (const auto* value = by->As<ir::ValueId>()) {
        call.callee = *value;
      } else if (const auto* global = by->As<ir::GlobalId>()) {
        call.callee = *global;
      } else if (const auto* f = by->As<ir::ExternFunc>()) {
        call.callee = *f;
      }
    }
  } else if (auto* f = std::get_if<ir::ExternFunc>(&call.callee)) {
    f->info = In(f->info);
  }
  for (ir::Operand& arg : call.args) In(arg);
  if (!shape_vars_.empty()) {
    for (auto& [key, value] : call.attrs) In(value);
  }
  for (ir::StructInfoRef& info : call.sinfo_args) info = In(info);
}

namespace {

// R.grad.start_checkpoint and R.grad.end_checkpoint mark a variable for the gradient. When their
// operand is no longer a variable, the call is replaced by its operand.
bool MarksNothing(const ir::Call& call) {
  const ir::Op* op = call.op();
  return op != nullptr && absl::EndsWith(op->name, "_checkpoint") && !call.args.empty() &&
         call.args[0].As<ir::ValueId>() == nullptr;
}

}  // namespace

void Replacement::In(ir::Rhs& rhs) {
  if (auto* operand = std::get_if<ir::Operand>(&rhs)) {
    In(*operand);
  } else if (auto* call = std::get_if<ir::Call>(&rhs)) {
    In(*call);
    if (MarksNothing(*call)) {
      ir::Operand value = std::move(call->args[0]);
      rhs = std::move(value);
    }
  } else if (auto* get = std::get_if<ir::GetField>(&rhs)) {
    In(get->tuple);
  } else if (auto* cast = std::get_if<ir::MatchCast>(&rhs)) {
    In(cast->value);
    cast->info = In(cast->info);
  } else if (auto* branch = std::get_if<ir::If>(&rhs)) {
    In(branch->cond);
    In(branch->then_body);
    In(branch->else_body);
  } else if (auto* f = std::get_if<ir::Function>(&rhs)) {
    In(*f);
  }
}

void Replacement::In(ir::Value& value) {
  value.annotation = In(value.annotation);
  value.info = In(value.info);
}

void Replacement::In(ir::Binding& binding) {
  if (empty()) return;
  In(binding.rhs);
  In(module_.values[binding.var]);
}

void Replacement::In(ir::Body& body) {
  if (empty()) return;
  for (ir::Block& block : body.blocks) {
    for (ir::Binding& binding : block.bindings) In(binding);
  }
  In(body.result);
}

void Replacement::In(ir::Function& f) {
  if (empty()) return;
  for (ir::ValueId param : f.params) In(module_.values[param]);
  f.ret = In(f.ret);
  f.ret_info = In(f.ret_info);
  f.info = In(f.info);
  if (!shape_vars_.empty()) {
    for (auto& [key, value] : f.attrs) In(value);
  }
  In(f.body);
}

}  // namespace lathe::transform
