#include "generator/lower/unshare.h"

#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
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
  copy.base = {};
  copy.byte_offset = nullptr;
  const ir::TensorId to = program.tensors.Add(std::move(copy));
  b.Emit(ir::CopyStep{*id, to}, loc);
  form = Form{to};
}

bool MayWrite(const Lowering& all, ir::GlobalId id) {
  absl::flat_hash_set<ir::GlobalId> seen = {id};
  std::vector<ir::GlobalId> waiting = {id};
  while (!waiting.empty()) {
    const ir::GlobalId next = waiting.back();
    waiting.pop_back();
    const ir::Function* f = all.module.globals[next].function();
    if (f == nullptr) continue;
    if (WritesInPlace(all.module, f->body)) return true;
    for (ir::GlobalId used : all.calls.uses(next)) {
      if (seen.insert(used).second) waiting.push_back(used);
    }
  }
  return false;
}

bool IsGivenToWriter(const Lowering& all, const ir::Body& body, ir::ValueId var) {
  bool given = false;
  ForEachBinding(body, [&](const ir::Block&, const ir::Binding& binding) {
    const auto* call = std::get_if<ir::Call>(&binding.rhs);
    if (call == nullptr || given) return;
    const auto* gv = std::get_if<ir::GlobalId>(&call->callee);
    const bool function = gv != nullptr && all.module.globals[*gv].function() != nullptr;
    given =
        absl::c_any_of(call->args, [&](const ir::Operand& arg) { return Mentions(arg, var); }) &&
        (call->op() != nullptr ? transform::IsInplace(*call->op())
                               : !function || MayWrite(all, *gv));
  });
  return given;
}

}  // namespace lathe::lower
