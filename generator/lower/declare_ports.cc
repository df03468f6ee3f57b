#include "generator/lower/declare_ports.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
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

// Integers or strings.
ir::AttrList KeysOf(const ir::AttrValue& value) {
  const auto* list = value.As<ir::AttrList>();
  const bool fits =
      list != nullptr && std::all_of(list->begin(), list->end(), [](const ir::AttrValue& key) {
        return key.As<int64_t>() != nullptr || key.As<std::string>() != nullptr;
      });
  return fits ? *list : ir::AttrList();
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
    const auto* keys = ir::FindAttr<ir::AttrList>(f->attrs, "keys");
    const std::vector<ir::Part> parts = PortsOf(routine, ir::FirstBytesOfState(*f).size());
    for (size_t k = 0; k < parts.size(); ++k) {
      const auto* id_of = std::get_if<ir::TensorId>(&parts[k]);
      if (id_of == nullptr) continue;
      ir::Tensor& tensor = program.tensors[*id_of];
      if (scales != nullptr && scales->size() == parts.size()) tensor.scale = ScaleOf((*scales)[k]);
      if (keys != nullptr && keys->size() == parts.size()) tensor.keys = KeysOf((*keys)[k]);
    }
  }
}

}  // namespace lathe::lower
