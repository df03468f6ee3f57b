#include "generator/emit/cuda/reads_back.h"

#include <variant>

namespace lathe::emit {

bool ReadsBack(const ir::Program& program) {
  bool reads = false;
  const auto looks = [](const ir::Part& part) {
    return std::holds_alternative<ir::TensorId>(part);
  };
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ir::ForEachStep(program.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
      const auto* branch = std::get_if<ir::BranchStep>(&step.node);
      const auto* check = std::get_if<ir::AssertStep>(&step.node);
      reads = reads || std::holds_alternative<ir::ReadStep>(step.node) ||
              (branch != nullptr && looks(branch->cond)) ||
              (check != nullptr && looks(check->cond));
    });
  }
  return reads;
}

}  // namespace lathe::emit
