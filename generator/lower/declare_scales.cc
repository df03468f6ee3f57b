#include "generator/lower/declare_scales.h"

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

}  // namespace

void DeclareScales(const ir::Module& module, ir::Program& program) {
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    const ir::Routine& routine = program.routines[ir::RoutineId{i}];
    const auto id = module.Find(routine.name);
    const ir::Function* f = id && routine.exported ? module.globals[*id].function() : nullptr;
    const auto* scales = f == nullptr ? nullptr : ir::FindAttr<ir::AttrList>(f->attrs, "scales");
    if (scales == nullptr) continue;
    const size_t state = ir::FirstBytesOfState(*f).size();
    std::vector<ir::Part> parts;
    if (routine.inputs.size() < state || routine.outputs.size() < state) continue;
    for (const auto* list : {&routine.inputs, &routine.outputs}) {
      parts.insert(parts.end(), list->begin(), list->end() - static_cast<std::ptrdiff_t>(state));
    }
    if (parts.size() != scales->size()) continue;
    for (size_t k = 0; k < parts.size(); ++k) {
      const auto* tensor = std::get_if<ir::TensorId>(&parts[k]);
      if (tensor != nullptr) program.tensors[*tensor].scale = ScaleOf((*scales)[k]);
    }
  }
}

}  // namespace lathe::lower
