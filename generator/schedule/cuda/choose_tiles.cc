#include "generator/schedule/cuda/choose_tiles.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/types/span.h"
#include "generator/nest/affine_access.h"
#include "generator/nest/scalar_facts.h"
#include "generator/support/check.h"

namespace lathe::schedule {
namespace {

using ir::GroupTile;
using ir::TileChoice;
using ir::TileShape;

// Rows, columns and depth of a tile, and the part of each thread; the largest first.
constexpr TileShape kShapes[] = {
    {128, 128, 8, 8, 8}, {128, 64, 16, 8, 4}, {64, 128, 16, 4, 8},
    {64, 64, 16, 4, 4},  {128, 32, 16, 8, 4}, {32, 128, 16, 4, 8},
    {64, 32, 16, 8, 4},  {32, 64, 16, 4, 4},  {32, 32, 16, 4, 4},
};
// For tensor cores, with the part of each warp.
constexpr TileShape kCoreTileShapes[] = {
    {128, 128, 32, 64, 32, true}, {128, 64, 32, 64, 32, true}, {64, 128, 32, 32, 64, true},
    {64, 64, 32, 32, 32, true},   {128, 32, 32, 64, 16, true}, {32, 128, 32, 32, 32, true},
    {64, 32, 32, 32, 16, true},   {32, 64, 32, 16, 32, true},  {32, 32, 32, 16, 16, true},
};
// For groups of four warps with 64 rows each: rows, columns, and stages of the ring. The number of
// stages is limited by shared memory and benefit. The largest first.
constexpr GroupTile kGroupTiles[] = {{128, 256, 4}, {128, 128, 5}, {128, 64, 5}};
// The speed of warpgroup instructions relative to mma.sync.
constexpr double kGroupSpeed = 2;
// Sums that a multiprocessor finishes in a cycle while it does not multiply.
constexpr double kFinished = 8;
// Cycles until barriers and registers are ready and the first stage is loaded.
constexpr double kGroupStart = 2500;
// Minimum sizes: one stage of 16-bit elements in depth and the rows of one group. Smaller products
// leave most of it empty.
constexpr int64_t kStageDepth = 64;
constexpr int64_t kGroupRows = 64;
// The minimum number of steps in a part of the depth.
constexpr int64_t kShortestDepthPart = 256;
// The limit of 64-bit sums in a thread.
constexpr int kMaxWideSums = 16;
// The limit of sums and computed stage elements in a thread, with tensor cores.
constexpr int kMaxInRegisters = 96;
// The limit of computed elements of one factor at a time if sums take most registers.
constexpr int kMaxHeldElements = 16;
constexpr int kManySums = 64;
// Bits of a line of a stage in lathe/cuda_mma_tiles.h.
constexpr int kStageBits = 512;
// Shared memory bandwidth of a multiprocessor.
constexpr double kSharedBytesPerCycle = 128;
// Cycles until the first sums start, and for a barrier with the code after it.
constexpr double kStart = 1500;
constexpr double kBarrier = 40;
// The fraction of the less busy resources' time that does not overlap.
constexpr double kBeside = 0.25;
// This number of warps on a multiprocessor hides latencies.
constexpr double kEnoughWarps = 8;
// Registers of a thread in addition to its sums.
constexpr int kOtherRegisters = 48;

struct Size {
  double batch, rows, columns, depth;
};

// The resources that a step of the depth uses.
struct Load {
  double arithmetic, shared;  // cycles
  double bytes;               // from memory
  int registers;
};

Load LoadOf(const TileShape& shape, const ir::TiledProduct& product, const Gpu& gpu) {
  const double area = 1.0 * shape.rows * shape.columns;
  const double warps = shape.threads() / 32.0;
  const int sums = shape.each_row * shape.each_column;
  if (product.cores) {
    const double bytes = product.cores->bits / 8.0;
    const double brought = (shape.rows + shape.columns) * bytes;
    const double read = warps * (shape.each_row + shape.each_column) * bytes;
    return {area * bytes / 2 / gpu.tensor_fmas, (read + 2 * brought) / kSharedBytesPerCycle,
            brought, kOtherRegisters + sums / 32 + (shape.each_row + shape.each_column) / 4};
  }
  // Each thread of a warp counts, also if all read the same address.
  const int bytes = product.sum_dtype.bits / 8;
  const double brought = (shape.rows + shape.columns) * bytes;
  const double read = warps * 32 * (shape.each_row + shape.each_column) * bytes;
  return {area * bytes / 4 / gpu.fmas, (read + 2 * brought) / kSharedBytesPerCycle, brought,
          kOtherRegisters + (sums + shape.each_row + shape.each_column) * bytes / 4};
}

double Tiles(int tile_rows, int tile_columns, const Size& size) {
  const auto parts = [](double whole, int part) {
    const auto count = static_cast<int64_t>(whole);
    return static_cast<double>((count + part - 1) / part);
  };
  return size.batch * parts(size.rows, tile_rows) * parts(size.columns, tile_columns);
}

// Returns cycles, dominated by the busiest of arithmetic, shared memory and memory.
double Cycles(const TileShape& shape, const ir::TiledProduct& product, const Size& size,
              const Gpu& gpu) {
  const Load load = LoadOf(shape, product, gpu);
  const double warps = shape.threads() / 32.0;
  const double resident = std::max(1, std::min(gpu.registers / (load.registers * shape.threads()),
                                               gpu.threads / shape.threads()));
  const double tiles = Tiles(shape.rows, shape.columns, size);
  const double busy = std::min(resident, std::max(1.0, tiles / gpu.multiprocessors)) * warps;
  const double hidden = std::min(1.0, busy / kEnoughWarps);
  const double step =
      (std::max(load.arithmetic, load.shared) + kBeside * std::min(load.arithmetic, load.shared)) /
          hidden +
      kBarrier / shape.depth / resident;
  const double rounds = static_cast<double>(
      static_cast<int64_t>((tiles + gpu.multiprocessors - 1) / gpu.multiprocessors));
  const double memory = tiles * size.depth * load.bytes / gpu.l2_bytes_per_cycle;
  return std::max(rounds * size.depth * step, memory) + kStart;
}

// The cycles of a warpgroup tile: whole stages are multiplied, and tiles are finished one after the
// other.
double GroupCycles(const GroupTile& tile, const ir::TiledProduct& product, const Size& size,
                   const Gpu& gpu) {
  const double bytes = product.cores->bits / 8.0;
  const double area = 1.0 * tile.rows * tile.columns;
  const double stage = 128 / bytes;
  const double depth = stage * std::ceil(size.depth / stage);
  const double tiles = Tiles(tile.rows, tile.columns, size);
  const double rounds = std::ceil(tiles / gpu.multiprocessors);
  const double step = area * bytes / 2 / (gpu.tensor_fmas * kGroupSpeed);
  const double memory = tiles * depth * (tile.rows + tile.columns) * bytes / gpu.l2_bytes_per_cycle;
  return std::max(rounds * depth * step, memory) + rounds * area / kFinished + kGroupStart;
}

std::optional<double> Count(const std::vector<ir::GridAxis>& axes) {
  double count = 1;
  for (const ir::GridAxis& axis : axes) {
    const auto extent = nest::Number(axis.extent);
    if (!extent) return std::nullopt;
    count *= static_cast<double>(*extent);
  }
  return count;
}

absl::Span<const TileShape> ShapesFor(const ir::TiledProduct& product) {
  if (product.cores) return kCoreTileShapes;
  return kShapes;
}

TileShape ShapeOf(const ir::TiledProduct& product, int rows, int columns) {
  const auto shapes = ShapesFor(product);
  const auto found = std::find_if(shapes.begin(), shapes.end(), [&](const TileShape& s) {
    return s.rows == rows && s.columns == columns;
  });
  LATHE_CHECK(found != shapes.end(), "a tile that is not in the table");
  return *found;
}

// Returns the stage elements that a thread holds in registers before it stores them. Asynchronous
// copies bypass registers.
int HeldOf(const ir::ProductFactor& factor, ir::DType dtype, int lines, const TileShape& shape) {
  const bool copies = factor.element != nullptr && (factor.along_depth || dtype.bits != 8);
  return copies ? 0 : lines * (kStageBits / dtype.bits) / shape.threads();
}

// Returns whether a thread's sums and held elements fit into registers.
bool Fits(const TileShape& shape, const ir::TiledProduct& product) {
  const int sums = shape.each_row * shape.each_column;
  if (!product.cores) return product.sum_dtype.bits == 32 || sums <= kMaxWideSums;
  const int by_row = HeldOf(product.by_row, *product.cores, shape.rows, shape);
  const int by_column = HeldOf(product.by_column, *product.cores, shape.columns, shape);
  return sums / 32 + by_row + by_column <= kMaxInRegisters &&
         (sums / 32 < kManySums || std::max(by_row, by_column) <= kMaxHeldElements);
}

// A tile is not chosen if half of it would stay empty.
int Clipped(int lines, const std::optional<double>& count) {
  while (count && lines > 32 && *count <= lines / 2) lines /= 2;
  return lines;
}

// Returns nullopt unless all sizes are constant.
std::optional<Size> ProductSize(const ir::TiledProduct& product) {
  const auto batch = Count(product.batch), rows = Count(product.rows);
  const auto columns = Count(product.columns), depth = Count(product.depth);
  if (!batch || !rows || !columns || !depth) return std::nullopt;
  const double own = product.part ? static_cast<double>(product.part->each) : *depth;
  return Size{*batch, *rows, *columns, own};
}

// Returns the tile with the fewest total cycles on all GPUs.
TileShape BestShape(const ir::TiledProduct& product, const Size& size, const GpuChoice& gpus) {
  TileShape best;
  double least = 0;
  for (const TileShape& shape : ShapesFor(product)) {
    const bool empty = shape.rows != Clipped(shape.rows, size.rows) ||
                       shape.columns != Clipped(shape.columns, size.columns);
    if (empty || !Fits(shape, product)) continue;
    double cost = 0;
    for (const Gpu* gpu : gpus.gpus) cost += Cycles(shape, product, size, *gpu);
    if (best.rows != 0 && cost >= least) continue;
    least = cost;
    best = shape;
  }
  return best;
}

}  // namespace

std::vector<TileChoice> ChooseTiles(const ir::TiledProduct& product, const GpuChoice& gpus) {
  const auto rows = Count(product.rows), columns = Count(product.columns);
  if (const auto size = ProductSize(product)) return {{BestShape(product, *size, gpus)}};
  // The largest size fills all multiprocessors of each GPU.
  int most = 0;
  for (const Gpu* gpu : gpus.gpus) most = std::max(most, gpu->multiprocessors);
  std::vector<TileChoice> choices;
  for (int lines : {128, 64, 32}) {
    const TileShape shape = ShapeOf(product, Clipped(lines, rows), Clipped(lines, columns));
    if (!Fits(shape, product)) continue;
    const bool known = std::any_of(choices.begin(), choices.end(), [&](const TileChoice& c) {
      return c.shape.rows == shape.rows && c.shape.columns == shape.columns;
    });
    if (!known) choices.push_back({shape, most});
  }
  choices.back().at_least = 0;
  return choices;
}

std::vector<GroupTile> ChooseGroupTiles(const ir::TiledProduct& product, const GpuChoice& gpus) {
  const auto has = [](const Gpu* gpu) { return gpu->has_wgmma; };
  const auto found = std::find_if(gpus.gpus.begin(), gpus.gpus.end(), has);
  if (found == gpus.gpus.end()) return {};
  const Gpu& gpu = **found;
  const auto rows = Count(product.rows), columns = Count(product.columns);
  const auto depth = Count(product.depth);
  if ((rows && *rows <= kGroupRows) || (depth && *depth < kStageDepth)) return {};
  std::vector<GroupTile> tiles;
  for (const GroupTile& tile : kGroupTiles) {
    if (tile.columns == Clipped(tile.columns, columns)) tiles.push_back(tile);
  }
  if (tiles.empty()) return {};
  if (const auto known = ProductSize(product)) {
    const Size& size = *known;
    const auto best =
        std::min_element(tiles.begin(), tiles.end(), [&](const GroupTile& a, const GroupTile& b) {
          return GroupCycles(a, product, size, gpu) < GroupCycles(b, product, size, gpu);
        });
    const double other = Cycles(product.tiles.back().shape, product, size, gpu);
    if (GroupCycles(*best, product, size, gpu) >= other) return {};
    return {*best};
  }
  // A smaller tile on half of the multiprocessors is as slow as mma.sync on all of them.
  tiles.resize(std::min<size_t>(tiles.size(), 2));
  for (size_t i = 0; i < tiles.size(); ++i) {
    const bool largest = i == 0 && tiles.size() > 1;
    tiles[i].at_least = largest ? gpu.multiprocessors : gpu.multiprocessors / 2;
  }
  return tiles;
}

std::optional<DepthParts> ChooseDepthParts(const ir::TiledProduct& product, const GpuChoice& gpus) {
  const auto size = ProductSize(product);
  if (!size || size->batch * size->rows * size->columns == 0) return std::nullopt;
  LongSums sums = {size->batch * size->rows * size->columns, product.sum_dtype.bits / 8,
                   static_cast<int64_t>(size->depth), kShortestDepthPart};
  for (const Gpu* gpu : gpus.gpus) {
    double whole = Cycles(product.tiles.back().shape, product, *size, *gpu);
    if (gpu->has_wgmma && product.groups) {
      whole = std::min(whole, GroupCycles(product.groups->tiles.back(), product, *size, *gpu));
    }
    sums.cycles += whole;
  }
  return ChooseParts(sums, gpus, [&](const DepthParts& parts) {
    const Size part{size->batch * static_cast<double>(parts.count), size->rows, size->columns,
                    static_cast<double>(parts.each)};
    const TileShape shape = BestShape(product, part, gpus);
    double cycles = 0;
    for (const Gpu* gpu : gpus.gpus) cycles += Cycles(shape, product, part, *gpu);
    return cycles;
  });
}

}  // namespace lathe::schedule
