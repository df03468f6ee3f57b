#include "generator/plan/find_overlaps.h"

#include <variant>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "generator/nest/scalar_facts.h"

namespace lathe::plan {

std::optional<int64_t> OverlapFinder::DistanceOf(const ir::KernelStep& call, ir::TensorId read,
                                                 ir::TensorId written) {
  const bool same_dtype = program_.tensors[read].dtype == program_.tensors[written].dtype;
  std::string key = absl::StrCat(call.kernel.index, same_dtype ? "=" : "!");
  for (ir::PrimRef scalar : call.scalars) {
    const auto value = nest::Number(scalar);
    absl::StrAppend(&key, " ", value ? absl::StrCat(*value) : "?");
  }
  for (ir::TensorId tensor : call.tensors) {
    const ir::TensorId whole = program_.Whole(tensor);
    const bool pointer = program_.tensors[whole].home == ir::Home::kPointer;
    absl::StrAppend(&key, whole == read ? "r" : whole == written ? "w" : pointer ? "p" : "-");
  }
  const auto [it, is_new] = distances_.try_emplace(std::move(key));
  if (is_new) it->second = OverlapDistance(program_, call, read, written, visits_left_);
  return it->second;
}

std::vector<BlockOverlap> OverlapFinder::Find(const ir::Routine& routine,
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
      const auto it = number_of.find(program_.Whole(tensor));
      if (it == number_of.end() || !seen.insert(it->second).second) continue;
      const Buffer& buffer = buffers[it->second];
      if (buffer.size == 0 || buffer.first == buffer.last) continue;  // scratch memory of the step
      if (buffer.last == here) ends.push_back(it->second);
      if (buffer.first == here) begins.push_back(it->second);
    }
    for (size_t written : begins) {
      for (size_t read : ends) {
        const auto distance = DistanceOf(*call, buffers[read].tensor, buffers[written].tensor);
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
