#include "generator/lower/declare_values.h"

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace lathe::lower {
namespace {

// The first declaration of a value holds.
void DeclareParts(const ir::Form& form, ir::StructInfoRef info, ir::Program& program) {
  if (const auto* id = form.As<ir::TensorId>()) {
    ir::Tensor& tensor = program.tensors[*id];
    if (tensor.is_value() && tensor.declared == nullptr) tensor.declared = info;
    return;
  }
  const auto* tuple = form.As<ir::TupleForm>();
  const auto* infos = info->As<ir::TupleInfo>();
  if (tuple == nullptr || infos == nullptr) return;
  for (size_t i = 0; i < tuple->fields.size() && i < infos->fields.size(); ++i) {
    DeclareParts(tuple->fields[i], infos->fields[i], program);
  }
}

}  // namespace

void DeclareValues(const ir::Module& module, ir::Program& program) {
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    const ir::Routine& routine = program.routines[ir::RoutineId{i}];
    const auto global = module.Find(routine.name);
    const ir::Function* f = global ? module.globals[*global].function() : nullptr;
    if (!routine.exported || f == nullptr) continue;
    for (size_t k = 0; k < routine.params.size() && k < f->params.size(); ++k) {
      DeclareParts(routine.params[k], module.values[f->params[k]].info, program);
    }
    if (f->ret_info != nullptr) DeclareParts(routine.result, f->ret_info, program);
  }
}

}  // namespace lathe::lower
