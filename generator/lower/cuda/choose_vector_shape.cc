#include "generator/lower/cuda/choose_vector_shape.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "generator/lower/scalar_facts.h"

namespace lathe::lower {
namespace {

// What one access brings.
constexpr int kAccessBits = 128;
constexpr int kWarp = 32;
// Threads of a block, and of the largest team.
constexpr int kBlock = 256;
// Threads beside each other that read what lies side by side: 128 bytes of a line.
constexpr int kAcross = 8;
// Sums that a thread keeps in registers where lines lie side by side, and along the depth, where
// it keeps elements of so many lines beside them.
constexpr int kMostSums = 32;
constexpr int kMostSumsOfTeam = 16;
constexpr int kMostHeld = 32;
constexpr int kMostLines = 4;
// Bytes of a matrix that a block reads in a cycle, while it waits for memory most of the time.
constexpr double kBlockBytes = 16;
// Steps that a part of a depth has at least.
constexpr int64_t kShortestPart = 1024;
// Accesses to a line that each thread of a larger team has at least.
constexpr int kTurns = 2;

// Nothing where the run says it.
std::optional<int64_t> Count(const std::vector<ir::GridAxis>& axes) {
  int64_t count = 1;
  for (const ir::GridAxis& axis : axes) {
    const auto extent = Number(axis.extent);
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
    while (shape.width > 1 && shape.vectors * shape.width > kMostSums) shape.width /= 2;
    shape.lines = kAcross * shape.width;
    shape.team = kBlock;
    return;
  }
  shape.team = kWarp;
  shape.lines = 1;
  const auto lines = Count(matrix.lines), batch = Count(vectors.product.batch);
  if (!lines || !batch) return;
  // Threads that keep all multiprocessors busy, which few lines and long ones share.
  int64_t busy = 0;
  for (const Gpu* gpu : gpus.gpus) {
    busy = std::max(busy, int64_t{gpu->multiprocessors} * gpu->threads / 2);
  }
  const int64_t all = *lines * *batch;
  while (shape.lines < kMostLines && 2 * shape.lines * shape.vectors <= kMostSumsOfTeam &&
         2 * shape.lines * shape.width <= kMostHeld && all / (2 * shape.lines) * kWarp >= busy) {
    shape.lines *= 2;
  }
  const auto depth = Count(matrix.depth);
  while (depth && shape.team < kBlock && all * shape.team < busy &&
         *depth >= int64_t{2} * shape.team * shape.width * kTurns) {
    shape.team *= 2;
  }
}

std::optional<DepthParts> ChooseDepthParts(const ir::VectorProduct& vectors,
                                           const GpuChoice& gpus) {
  const ir::VectorShape& shape = vectors.shape;
  const ir::ProductFactor& matrix = vectors.matrix();
  const auto lines = Count(matrix.lines), batch = Count(vectors.product.batch);
  const auto depth = Count(matrix.depth);
  if (!lines || !batch || !depth || *lines * *batch == 0) return std::nullopt;
  const double groups = static_cast<double>(*batch * ((*lines + shape.lines - 1) / shape.lines));
  const double blocks = std::max(1.0, groups * shape.team / kBlock);
  const double bytes = static_cast<double>(*batch * *lines) * static_cast<double>(*depth) *
                       matrix.element->dtype().bits / 8.0;
  LongSums sums = {static_cast<double>(*batch * *lines) * shape.vectors,
                   vectors.product.sum_dtype.bits / 8, *depth, kShortestPart};
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

}  // namespace lathe::lower
