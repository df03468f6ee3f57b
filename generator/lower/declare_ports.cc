#include "generator/lower/declare_ports.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "generator/ir/state.h"

namespace lathe::lower {
namespace {

std::optional<ir::Scale> ScaleOf(const ir::AttrValue& value) {
  const auto* pair = value.As<ir::AttrList>();
  if (pair == nullptr || pair->size() != 2) return std::nullopt;
  const auto* factor = (*pair)[0].As<double>();
  const auto* zero = (*pair)[1].As<int64_t>();
  if (factor == nullptr || zero == nullptr) return std::nullopt;
  // C code has the scale as float32 and the zero point as int32.
  const bool is_float =
      *factor >= std::numeric_limits<float>::min() && *factor <= std::numeric_limits<float>::max();
  const bool is_int32 = *zero == static_cast<int32_t>(*zero);
  if (!is_float || !is_int32) return std::nullopt;
  return ir::Scale{*factor, *zero};
}

ir::Labels LabelsOf(const ir::AttrValue& value) {
  const auto* pair = value.As<ir::AttrList>();
  if (pair == nullptr || pair->size() != 2) return {};
  const auto* kind = (*pair)[0].As<std::string>();
  const auto* items = (*pair)[1].As<ir::AttrList>();
  if (kind == nullptr || items == nullptr || (*kind != "axis" && *kind != "value")) return {};
  const bool fits = std::all_of(items->begin(), items->end(), [](const ir::AttrValue& item) {
    return item.As<int64_t>() != nullptr || item.As<std::string>() != nullptr;
  });
  return fits ? ir::Labels{*kind == "value", *items} : ir::Labels();
}

// Inputs and outputs without the state.
std::vector<ir::Part> PortsOf(const ir::Routine& routine, size_t state) {
  std::vector<ir::Part> parts;
  if (routine.inputs.size() < state || routine.outputs.size() < state) return parts;
  for (const auto* list : {&routine.inputs, &routine.outputs}) {
    parts.insert(parts.end(), list->begin(), list->end() - static_cast<std::ptrdiff_t>(state));
  }
  return parts;
}

}  // namespace

void DeclarePorts(const ir::Module& module, ir::Program& program) {
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    const ir::Routine& routine = program.routines[ir::RoutineId{i}];
    const auto id = module.Find(routine.name);
    const ir::Function* f = id && routine.exported ? module.globals[*id].function() : nullptr;
    if (f == nullptr) continue;
    const auto* scales = ir::FindAttr<ir::AttrList>(f->attrs, "scales");
    const auto* labels = ir::FindAttr<ir::AttrList>(f->attrs, "labels");
    const size_t state = ir::FirstBytesOfState(*f).size();
    const std::vector<ir::Part> parts = PortsOf(routine, state);
    const size_t inputs = routine.inputs.size() - std::min(state, routine.inputs.size());
    for (size_t k = 0; k < parts.size(); ++k) {
      const auto* id_of = std::get_if<ir::TensorId>(&parts[k]);
      if (id_of == nullptr) continue;
      ir::Tensor& tensor = program.tensors[*id_of];
      if (scales != nullptr && scales->size() == parts.size()) tensor.scale = ScaleOf((*scales)[k]);
      if (labels != nullptr && inputs + labels->size() == parts.size() && k >= inputs) {
        tensor.labels = LabelsOf((*labels)[k - inputs]);
      }
    }
  }
}

}  // namespace lathe::lower
