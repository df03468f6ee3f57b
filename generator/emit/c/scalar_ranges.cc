#include "generator/emit/c/scalar_ranges.h"

#include "generator/analysis/arithmetic/bounds.h"

namespace lathe::emit {

using analysis::Interval;

IdVector<ir::KernelId, std::vector<Interval>> ScalarRanges(const Model& model) {
  IdVector<ir::KernelId, std::vector<Interval>> ranges;
  for (int32_t i = 0; i < std::ssize(model.program.kernels); ++i) {
    const ir::Kernel& kernel = model.program.kernels[ir::KernelId{i}];
    ranges.Add(std::vector<Interval>(kernel.scalars.size(), Interval::None()));
  }
  for (int32_t i = 0; i < std::ssize(model.program.routines); ++i) {
    const ir::RoutineId id{i};
    const analysis::Assumptions known = model.SizesOf(id);
    ir::ForEachStep(model.program.routines[id].steps, [&](const ir::Step& step) {
      const auto* call = std::get_if<ir::KernelStep>(&step.node);
      if (call == nullptr) return;
      for (size_t n = 0; n < call->scalars.size(); ++n) {
        const Interval given = analysis::BoundsOf(model.context, call->scalars[n], known);
        Interval& all = ranges[call->kernel][n];
        all = analysis::Union(all, given);
      }
    });
  }
  return ranges;
}

}  // namespace lathe::emit
