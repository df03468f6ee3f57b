#include "generator/schedule/cuda/column_shape.h"

#include <algorithm>

#include "generator/schedule/cuda/depth_parts.h"

namespace lathe::schedule {
namespace {

// Neighboring columns cover whole lines of the L2 cache.
constexpr int kBitsAcross = 8 * 128;
constexpr int kMaxColumnThreads = 512;  // of a block
// The minimum number of elements of a thread, because it has this many loads in flight, and of a
// part of a column.
constexpr int64_t kFewest = 16;
constexpr int64_t kShortestColumnPart = 64;
// The loads that a thread has in flight, and their latency in cycles.
constexpr double kUnderWay = 4;
constexpr double kLatency = 600;
// Cycles to combine the values of a block, for each thread that shares a column.
constexpr double kCombineCycles = 30;
// The largest fraction of the time at which sharing is worth it.
constexpr double kColumnGain = 0.8;
// Assumed values of dynamic sizes.
constexpr int64_t kSomeColumns = 1024;
constexpr int64_t kSomeLength = 8192;

class Chooser {
 public:
  Chooser(std::optional<int64_t> columns, std::optional<int64_t> length, int bits,
          const GpuChoice& gpus)
      : known_(columns.has_value()),
        columns_(columns.value_or(kSomeColumns)),
        length_(length.value_or(kSomeLength)),
        bytes_(bits / 8.0),
        gpus_(gpus) {
    while (across_ * bits < kBitsAcross && across_ < columns_) across_ *= 2;
  }

  std::optional<ColumnShape> Choose() const {
    std::optional<ColumnShape> best;
    double least = kColumnGain * Reading(static_cast<double>(columns_));
    for (int down = 2; down * across_ <= kMaxColumnThreads && kFewest * down <= length_;
         down *= 2) {
      const double cycles = Shared(down, 1);
      if (cycles >= least) continue;
      least = cycles;
      best = ColumnShape{across_, down};
    }
    if (!best || !known_) return best;
    const int down = best->down;
    const LongSums sums = {static_cast<double>(columns_), static_cast<int>(std::max(4.0, bytes_)),
                           length_, std::max(kShortestColumnPart, kFewest * down), least};
    const auto parts = ChooseParts(sums, gpus_, [&](const DepthParts& some) {
      return Shared(down, static_cast<double>(some.count));
    });
    if (parts) best->parts = parts->count;
    return best;
  }

 private:
  // The time with `down` threads of a block and `parts` blocks for each column.
  double Shared(int down, double parts) const {
    const auto blocks = static_cast<double>((columns_ + across_ - 1) / across_);
    return Reading(blocks * parts * across_ * down) +
           kCombineCycles * down * static_cast<double>(gpus_.gpus.size());
  }

  // Cycles in which this number of threads reads all elements, on all GPUs.
  double Reading(double threads) const {
    const double all = static_cast<double>(columns_) * static_cast<double>(length_) * bytes_;
    double cycles = 0;
    for (const Gpu* gpu : gpus_.gpus) {
      const double busy = std::min(threads, 1.0 * gpu->multiprocessors * gpu->threads);
      cycles += all / std::min(busy * kUnderWay * bytes_ / kLatency, 1.0 * gpu->l2_bytes_per_cycle);
    }
    return cycles;
  }

  const bool known_;
  const int64_t columns_, length_;
  const double bytes_;
  const GpuChoice& gpus_;
  int across_ = 2;
};

}  // namespace

std::optional<ColumnShape> ChooseColumnShape(std::optional<int64_t> columns,
                                             std::optional<int64_t> length, int bits,
                                             const GpuChoice& gpus) {
  if (columns == int64_t{0} || length == int64_t{0} || bits % 8 != 0) return std::nullopt;
  return Chooser(columns, length, bits, gpus).Choose();
}

}  // namespace lathe::schedule
