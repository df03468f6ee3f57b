#include "generator/plan/find_overlaps.h"

#include <variant>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/plan/overlap_distance.h"

namespace lathe::plan {

std::vector<BlockOverlap> FindOverlaps(const ir::Program& program, const ir::Routine& routine,
                                       const std::vector<Buffer>& buffers) {
  if (routine.loops) return {};
  absl::flat_hash_map<ir::TensorId, size_t> number_of;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].call < 0) number_of[buffers[i].tensor] = i;
  }
  absl::flat_hash_set<const ir::Step*> at_top;
  for (const ir::Step& step : routine.steps) at_top.insert(&step);
  std::vector<BlockOverlap> overlaps;
  int number = 0;
  ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
    const int here = number++;
    const auto* call = std::get_if<ir::KernelStep>(&step.node);
    if (call == nullptr || !at_top.contains(&step)) return;
    std::vector<size_t> ends, begins;
    absl::flat_hash_set<size_t> seen;
    for (ir::TensorId tensor : call->tensors) {
      const auto it = number_of.find(program.Whole(tensor));
      if (it == number_of.end() || !seen.insert(it->second).second) continue;
      const Buffer& buffer = buffers[it->second];
      if (buffer.size == 0 || buffer.first == buffer.last) continue;  // scratch memory of the step
      if (buffer.last == here) ends.push_back(it->second);
      if (buffer.first == here) begins.push_back(it->second);
    }
    for (size_t written : begins) {
      for (size_t read : ends) {
        const auto distance =
            OverlapDistance(program, *call, buffers[read].tensor, buffers[written].tensor);
        // At the size of the output, the input is above all of it.
        if (distance && *distance < buffers[written].size) {
          overlaps.push_back({read, written, *distance});
        }
      }
    }
  });
  return overlaps;
}

}  // namespace lathe::plan
