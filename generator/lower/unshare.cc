#include "generator/lower/unshare.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "generator/ir/each_body.h"
#include "generator/transform/effects.h"

namespace lathe::lower {
namespace {

bool Mentions(const ir::Operand& operand, ir::ValueId var) {
  if (const auto* id = operand.As<ir::ValueId>()) return *id == var;
  const auto* tuple = operand.As<ir::TupleExpr>();
  return tuple != nullptr && absl::c_any_of(tuple->fields, [&](const ir::Operand& field) {
           return Mentions(field, var);
         });
}

}  // namespace

void Unshare(RoutineBuilder& b, Form& form, const Location& loc) {
  ir::Program& program = b.all.program;
  if (auto* tuple = std::get_if<TupleForm>(&form.node)) {
    for (Form& field : tuple->fields) Unshare(b, field, loc);
  }
  const auto* id = form.As<ir::TensorId>();
  if (id == nullptr || program.tensors[program.Whole(*id)].home != ir::Home::kConstant) return;
  ir::Tensor copy = program.tensors[*id];
  copy.home = ir::Home::kArena;
  copy.constant = {};
  const ir::TensorId to = program.tensors.Add(std::move(copy));
  b.Emit(ir::CopyStep{*id, to}, loc);
  form = Form{to};
}

bool IsGivenToWriter(const ir::Module& module, const ir::Body& body, ir::ValueId var) {
  bool given = false;
  ForEachBinding(body, [&](const ir::Block&, const ir::Binding& binding) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || given) return;
    const auto* gv = std::get_if<ir::GlobalId>(&call->callee);
    const bool writes = call->op() != nullptr
                            ? transform::IsInplace(*call->op())
                            : gv != nullptr && module.globals[*gv].prim_func() != nullptr;
    given = writes &&
            absl::c_any_of(call->args, [&](const ir::Operand& arg) { return Mentions(arg, var); });
  });
  return given;
}

}  // namespace lathe::lower
