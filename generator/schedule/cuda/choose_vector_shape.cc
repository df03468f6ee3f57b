#include "generator/schedule/cuda/choose_vector_shape.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {
namespace {

// Bits of one memory access.
constexpr int kAccessBits = 128;
// Threads of a block, and of the largest team.
constexpr int kBlockThreads = 256;
// Neighboring threads that read contiguous elements: 128 bytes of a line.
constexpr int kAcross = 8;
// The limits of a thread's sums: if lines are contiguous, and along the depth, where it also holds
// elements of as many lines.
constexpr int kMaxSumsAlongDepth = 32;
constexpr int kMaxSumsOfTeam = 16;
constexpr int kMaxHeldFactors = 32;
constexpr int kMaxLines = 4;
// Bytes of a matrix that a block reads in a cycle, mostly limited by latency.
constexpr double kBlockBytes = 16;
// The minimum number of steps in a part of the depth.
constexpr int64_t kShortestVectorPart = 1024;
// The minimum number of accesses of each thread of a larger team to a line.
constexpr int kTurnsOfLargeTeam = 2;

// Returns nullopt if the count is dynamic.
std::optional<int64_t> KnownCount(const std::vector<ir::GridAxis>& axes) {
  int64_t count = 1;
  for (const ir::GridAxis& axis : axes) {
    const auto extent = nest::Number(axis.extent);
    if (!extent || *extent < 0) return std::nullopt;
    if (*extent > 0 && count > std::numeric_limits<int32_t>::max() / *extent) return std::nullopt;
    count *= *extent;
  }
  return count;
}

}  // namespace

void ChooseVectorShape(const GpuChoice& gpus, ir::VectorProduct& vectors) {
  ir::VectorShape& shape = vectors.shape;
  const ir::ProductFactor& matrix = vectors.matrix();
  shape.width = kAccessBits / matrix.element->dtype().bits;
  if (!matrix.along_depth) {
    while (shape.width > 1 && shape.vectors * shape.width > kMaxSumsAlongDepth) shape.width /= 2;
    shape.lines = kAcross * shape.width;
    shape.team = kBlockThreads;
    return;
  }
  shape.team = kWarp;
  shape.lines = 1;
  const auto lines = KnownCount(matrix.lines), batch = KnownCount(vectors.product.batch);
  if (!lines || !batch) return;
  // The number of threads that keep all multiprocessors busy. A few long lines are shared among
  // them.
  int64_t busy = 0;
  for (const Gpu* gpu : gpus.gpus) {
    busy = std::max(busy, int64_t{gpu->multiprocessors} * gpu->threads / 2);
  }
  const int64_t all = *lines * *batch;
  while (shape.lines < kMaxLines && 2 * shape.lines * shape.vectors <= kMaxSumsOfTeam &&
         2 * shape.lines * shape.width <= kMaxHeldFactors &&
         all / (2 * shape.lines) * kWarp >= busy) {
    shape.lines *= 2;
  }
  const auto depth = KnownCount(matrix.depth);
  while (depth && shape.team < kBlockThreads && all * shape.team < busy &&
         *depth >= int64_t{2} * shape.team * shape.width * kTurnsOfLargeTeam) {
    shape.team *= 2;
  }
}

std::optional<DepthParts> ChooseDepthParts(const ir::VectorProduct& vectors,
                                           const GpuChoice& gpus) {
  const ir::VectorShape& shape = vectors.shape;
  const ir::ProductFactor& matrix = vectors.matrix();
  const auto lines = KnownCount(matrix.lines), batch = KnownCount(vectors.product.batch);
  const auto depth = KnownCount(matrix.depth);
  if (!lines || !batch || !depth || *lines * *batch == 0) return std::nullopt;
  const double groups = static_cast<double>(*batch * ((*lines + shape.lines - 1) / shape.lines));
  const double blocks = std::max(1.0, groups * shape.team / kBlockThreads);
  const double bytes = static_cast<double>(*batch * *lines) * static_cast<double>(*depth) *
                       matrix.element->dtype().bits / 8.0;
  LongSums sums = {static_cast<double>(*batch * *lines) * shape.vectors,
                   vectors.product.sum_dtype.bits / 8, *depth, kShortestVectorPart};
  // Cycles to read the matrix with `parts` times as many blocks.
  const auto reading = [&](double parts) {
    double cycles = 0;
    for (const Gpu* gpu : gpus.gpus) {
      cycles += bytes / std::min(blocks * parts * kBlockBytes, 1.0 * gpu->l2_bytes_per_cycle);
    }
    return cycles;
  };
  sums.cycles = reading(1);
  return ChooseParts(sums, gpus, [&](const DepthParts& parts) {
    return reading(static_cast<double>(parts.count));
  });
}

}  // namespace lathe::schedule
