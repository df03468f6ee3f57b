#include "generator/lower/copy_constants.h"

#include <utility>

namespace lathe::lower {

void CopyConstants(RoutineBuilder& b, Form& form, const Location& loc) {
  ir::Program& program = b.lowering.program;
  if (auto* tuple = std::get_if<TupleForm>(&form.node)) {
    for (Form& field : tuple->fields) CopyConstants(b, field, loc);
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

}  // namespace lathe::lower
