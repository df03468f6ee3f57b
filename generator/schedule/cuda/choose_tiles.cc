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

// Rows and columns of a tile, its depth, and what each thread has of it; the largest first.
constexpr TileShape kShapes[] = {
    {128, 128, 8, 8, 8}, {128, 64, 16, 8, 4}, {64, 128, 16, 4, 8},
    {64, 64, 16, 4, 4},  {128, 32, 16, 8, 4}, {32, 128, 16, 4, 8},
    {64, 32, 16, 8, 4},  {32, 64, 16, 4, 4},  {32, 32, 16, 4, 4},
};
// On tensor cores, and what each warp has.
constexpr TileShape kCoreTileShapes[] = {
    {128, 128, 32, 64, 32, true}, {128, 64, 32, 64, 32, true}, {64, 128, 32, 32, 64, true},
    {64, 64, 32, 32, 32, true},   {128, 32, 32, 64, 16, true}, {32, 128, 32, 32, 32, true},
    {64, 32, 32, 32, 16, true},   {32, 64, 32, 16, 32, true},  {32, 32, 32, 16, 16, true},
};
// By groups of four warps, of 64 rows each: rows, columns, and stages of the ring, as many as a
// block has memory for and are worth their while; the largest first.
constexpr GroupTile kGroupTiles[] = {{128, 256, 4}, {128, 128, 5}, {128, 64, 5}};
// Their instructions multiply so much in the cycle in which mma.sync multiplies one.
constexpr double kGroupSpeed = 2;
// Sums that a multiprocessor finishes in a cycle, while it multiplies nothing.
constexpr double kFinished = 8;
// Cycles until barriers and registers are ready and the first stage is there.
constexpr double kGroupStart = 2500;
// Less depth than one stage of 16-bit numbers, and fewer rows than a group has, leave most of it
// empty.
constexpr int64_t kStageDepth = 64;
constexpr int64_t kGroupRows = 64;
// Steps that a part of a depth has at least.
constexpr int64_t kShortestDepthPart = 256;
// Of 64 bits a thread holds half as many.
constexpr int kMostWideSums = 16;
// Sums, and elements of a stage that are computed, of a thread beside tensor cores.
constexpr int kMostInRegisters = 96;
// Of one factor, where sums take most of that: so many are computed at once.
constexpr int kMostHeldElements = 16;
constexpr int kManySums = 64;
// Of a line of a stage of lathe/cuda_mma_tiles.h.
constexpr int kStageBits = 512;
// What a multiprocessor reads of shared memory in a cycle, in bytes.
constexpr double kSharedBytesPerCycle = 128;
// Cycles until the first sums are under way, and that a barrier and what is behind it take.
constexpr double kStart = 1500;
constexpr double kBarrier = 40;
// How much of what is not the busiest does not go on beside it.
constexpr double kBeside = 0.25;
// So many warps on a multiprocessor hide what each waits for.
constexpr double kEnoughWarps = 8;
// Registers of a thread beside its sums.
constexpr int kOtherRegisters = 48;

struct Size {
  double batch, rows, columns, depth;
};

// What each step of the depth takes of a multiprocessor, and a thread of registers.
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
  // All threads of a warp get what they read, also where it is the same.
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

// Cycles: the busiest of the arithmetic, shared memory and memory.
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

// Of a tile by groups: whole stages are multiplied, and sums finished one tile after the other.
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

// Elements of a stage that a thread has in registers until they are put down: what is copied goes
// past them.
int HeldOf(const ir::ProductFactor& factor, ir::DType dtype, int lines, const TileShape& shape) {
  const bool copies = factor.element != nullptr && (factor.along_depth || dtype.bits != 8);
  return copies ? 0 : lines * (kStageBits / dtype.bits) / shape.threads();
}

// Whether a thread's sums, and what it holds beside them, stay in registers.
bool Fits(const TileShape& shape, const ir::TiledProduct& product) {
  const int sums = shape.each_row * shape.each_column;
  if (!product.cores) return product.sum_dtype.bits == 32 || sums <= kMostWideSums;
  const int by_row = HeldOf(product.by_row, *product.cores, shape.rows, shape);
  const int by_column = HeldOf(product.by_column, *product.cores, shape.columns, shape);
  return sums / 32 + by_row + by_column <= kMostInRegisters &&
         (sums / 32 < kManySums || std::max(by_row, by_column) <= kMostHeldElements);
}

// Half of a tile that is never filled is not asked for.
int Clipped(int lines, const std::optional<double>& count) {
  while (count && lines > 32 && *count <= lines / 2) lines /= 2;
  return lines;
}

// Where all of it is numbers.
std::optional<Size> ProductSize(const ir::TiledProduct& product) {
  const auto batch = Count(product.batch), rows = Count(product.rows);
  const auto columns = Count(product.columns), depth = Count(product.depth);
  if (!batch || !rows || !columns || !depth) return std::nullopt;
  const double own = product.part ? static_cast<double>(product.part->each) : *depth;
  return Size{*batch, *rows, *columns, own};
}

// The tile that takes the fewest cycles on all GPUs together.
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
  // As large as fills all multiprocessors of each GPU.
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
  // A smaller tile on every second multiprocessor is as fast as mma.sync on all of them.
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
