#include "generator/lower/declare_labels.h"

#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "generator/ir/state.h"

namespace lathe::lower {
namespace {

ir::Labels LabelsOf(const ir::AttrValue& value) {
  const auto* pair = value.As<ir::AttrList>();
  if (pair == nullptr || pair->size() != 2) return {};
  const auto* kind = (*pair)[0].As<std::string>();
  const auto* texts = (*pair)[1].As<ir::AttrList>();
  if (kind == nullptr || texts == nullptr || (*kind != "axis" && *kind != "value")) return {};
  ir::Labels labels;
  labels.of_values = *kind == "value";
  for (const ir::AttrValue& text : *texts) {
    const auto* label = text.As<std::string>();
    if (label == nullptr) return {};
    labels.texts.push_back(*label);
  }
  return labels;
}

}  // namespace

void DeclareLabels(const ir::Module& module, ir::Program& program) {
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    const ir::Routine& routine = program.routines[ir::RoutineId{i}];
    const auto id = module.Find(routine.name);
    const ir::Function* f = id && routine.exported ? module.globals[*id].function() : nullptr;
    const auto* labels = f == nullptr ? nullptr : ir::FindAttr<ir::AttrList>(f->attrs, "labels");
    if (labels == nullptr) continue;
    const size_t state = ir::FirstBytesOfState(*f).size();
    if (routine.outputs.size() != labels->size() + state) continue;
    for (size_t k = 0; k < labels->size(); ++k) {
      const auto* tensor = std::get_if<ir::TensorId>(&routine.outputs[k]);
      if (tensor != nullptr) program.tensors[*tensor].labels = LabelsOf((*labels)[k]);
    }
  }
}

}  // namespace lathe::lower
