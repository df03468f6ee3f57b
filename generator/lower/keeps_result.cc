#include "generator/lower/keeps_result.h"

namespace lathe::lower {

bool KeepsResult(const ir::Program& program, const ir::PackedStep& step) {
  for (const ir::Part& part : ir::PartsOf(step.result)) {
    const auto* id = std::get_if<ir::TensorId>(&part);
    if (id != nullptr && program.tensors[*id].is_value()) return true;
  }
  return false;
}

bool Keeps(const ir::Program& program, const ir::Step& step) {
  const auto* packed = std::get_if<ir::PackedStep>(&step.node);
  return std::holds_alternative<ir::BoxStep>(step.node) ||
         (packed != nullptr && KeepsResult(program, *packed));
}

}  // namespace lathe::lower
