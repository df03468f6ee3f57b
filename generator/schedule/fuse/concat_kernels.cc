#include "generator/schedule/fuse/concat_kernels.h"

#include <algorithm>
#include <string>
#include <utility>

#include "generator/nest/rewrite_stage.h"
#include "generator/nest/same_sizes.h"

namespace lathe::schedule {

using ir::BufferRef;

std::optional<nest::NestCall> ConcatKernels(ir::Context& context, const nest::NestCall& first,
                                            const nest::NestCall& second, ir::TensorId tensor,
                                            absl::string_view name) {
  const BufferRef made = first.ParamOf(tensor), read = second.ParamOf(tensor);
  if (made == nullptr || read == nullptr || made != first.result || read == second.result ||
      made->dtype != read->dtype || !nest::SameSizes(context, made->shape, read->shape)) {
    return std::nullopt;
  }
  nest::NestCall joined = first;
  joined.fused = true;
  joined.has_user_loops = first.has_user_loops || second.has_user_loops;
  joined.result = second.result;
  const auto at = static_cast<std::ptrdiff_t>(
      std::find(joined.params.begin(), joined.params.end(), made) - joined.params.begin());
  joined.params.erase(joined.params.begin() + at);
  joined.tensors.erase(joined.tensors.begin() + at);
  joined.nest.own.push_back(made);
  joined.nest.own.insert(joined.nest.own.end(), second.nest.own.begin(), second.nest.own.end());
  nest::RewriteScalar rewrite(context);
  rewrite.Replace(read, made);
  for (size_t i = 0; i < second.params.size(); ++i) {
    if (second.tensors[i] == tensor) continue;
    const BufferRef same = joined.ParamOf(second.tensors[i]);
    if (same == nullptr) {
      joined.params.push_back(second.params[i]);
      joined.tensors.push_back(second.tensors[i]);
      continue;
    }
    // A tensor passed to both becomes one parameter; none is both written and read.
    if (second.params[i] == second.result || same->shape.size() != second.params[i]->shape.size()) {
      return std::nullopt;
    }
    rewrite.Replace(second.params[i], same);
  }
  for (ir::NestStage stage : second.nest.stages) {
    nest::RewriteStage(rewrite, stage);
    joined.nest.stages.push_back(std::move(stage));
  }
  joined.origins.insert(joined.origins.end(), second.origins.begin(), second.origins.end());
  joined.name = std::string(name);
  return joined;
}

}  // namespace lathe::schedule
