#include "generator/schedule/cuda/depth_parts.h"

namespace lathe::schedule {
namespace {

// Parts start at multiples of this, so that their memory is aligned like the whole.
constexpr int64_t kSteps = 64;
constexpr int64_t kLimit = 64;
// Cycles until a dependent launch starts, and the gain required to have one.
constexpr double kNextLaunch = 4000;
constexpr double kDepthGain = 0.8;

}  // namespace

std::optional<DepthParts> ChooseParts(const LongSums& sums, const GpuChoice& gpus,
                                      absl::FunctionRef<double(const DepthParts&)> cycles) {
  double least = kDepthGain * sums.cycles;
  std::optional<DepthParts> best;
  for (int64_t wanted = 2; wanted <= kLimit && wanted * sums.shortest <= sums.depth; wanted *= 2) {
    DepthParts parts;
    parts.each = (sums.depth + wanted * kSteps - 1) / (wanted * kSteps) * kSteps;
    parts.count = (sums.depth + parts.each - 1) / parts.each;
    double all = cycles(parts);
    for (const Gpu* gpu : gpus.gpus) {
      const double moved = 2 * static_cast<double>(parts.count) * sums.count * sums.bytes;
      all += kNextLaunch + moved / gpu->l2_bytes_per_cycle;
    }
    if (all >= least) continue;
    least = all;
    best = parts;
  }
  return best;
}

}  // namespace lathe::schedule
