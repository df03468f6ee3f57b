#include "generator/analysis/callees_first.h"

#include <variant>

namespace lathe::analysis {

std::vector<ir::RoutineId> CalleesFirst(const ir::Program& program) {
  enum class Visit { kNone, kBegun, kDone };
  IdVector<ir::RoutineId, Visit> visits(program.routines.size());
  std::vector<ir::RoutineId> order;
  // A stack instead of recursion: chains of calls may be long.
  std::vector<ir::RoutineId> stack;
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    stack.push_back(ir::RoutineId{i});
    while (!stack.empty()) {
      const ir::RoutineId id = stack.back();
      if (visits[id] != Visit::kNone) {
        stack.pop_back();
        if (visits[id] == Visit::kBegun) order.push_back(id);
        visits[id] = Visit::kDone;
        continue;
      }
      visits[id] = Visit::kBegun;
      ir::ForEachStep(program.routines[id].steps, [&](const ir::Step& step) {
        const auto* call = std::get_if<ir::CallStep>(&step.node);
        if (call != nullptr && visits[call->routine] == Visit::kNone) {
          stack.push_back(call->routine);
        }
      });
    }
  }
  return order;
}

}  // namespace lathe::analysis
