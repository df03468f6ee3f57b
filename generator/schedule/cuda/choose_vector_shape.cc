#include "generator/schedule/cuda/choose_vector_shape.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "generator/nest/scalar_facts.h"

namespace lathe::schedule {
namespace {

// What one access brings.
constexpr int kAccessBits = 128;
// Threads of a block, and of the largest team.
constexpr int kBlockThreads = 256;
// Threads beside each other that read what lies side by side: 128 bytes of a line.
constexpr int kAcross = 8;
// Sums that a thread keeps in registers where lines lie side by side, and along the depth, where
// it keeps elements of so many lines beside them.
constexpr int kMostSumsAlongDepth = 32;
constexpr int kMostSumsOfTeam = 16;
constexpr int kMostHeldFactors = 32;
constexpr int kMostLines = 4;
// Bytes of a matrix that a block reads in a cycle, while it waits for memory most of the time.
constexpr double kBlockBytes = 16;
// Steps that a part of a depth has at least.
constexpr int64_t kShortestVectorPart = 1024;
// Accesses to a line that each thread of a larger team has at least.
constexpr int kTurnsOfLargeTeam = 2;

// Nothing where the run says it.
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
    while (shape.width > 1 && shape.vectors * shape.width > kMostSumsAlongDepth) shape.width /= 2;
    shape.lines = kAcross * shape.width;
    shape.team = kBlockThreads;
    return;
  }
  shape.team = kWarp;
  shape.lines = 1;
  const auto lines = KnownCount(matrix.lines), batch = KnownCount(vectors.product.batch);
  if (!lines || !batch) return;
  // Threads that keep all multiprocessors busy, which few lines and long ones share.
  int64_t busy = 0;
  for (const Gpu* gpu : gpus.gpus) {
    busy = std::max(busy, int64_t{gpu->multiprocessors} * gpu->threads / 2);
  }
  const int64_t all = *lines * *batch;
  while (shape.lines < kMostLines && 2 * shape.lines * shape.vectors <= kMostSumsOfTeam &&
         2 * shape.lines * shape.width <= kMostHeldFactors &&
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
  // Until the matrix is read, by so many blocks for each of now.
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
