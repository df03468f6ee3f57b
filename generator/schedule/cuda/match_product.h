// Products of matrices among the loops of a kernel: known by what they do, after fusion, whatever
// operator they come from. Convolutions are such products too.
#ifndef LATHE_SCHEDULE_CUDA_MATCH_PRODUCT_H_
#define LATHE_SCHEDULE_CUDA_MATCH_PRODUCT_H_

#include <cstdint>
#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Fewer lines or products than this leave most of any tile empty.
inline constexpr int64_t kFewLines = 8;
inline constexpr int64_t kFewProducts = 4;
// A depth over which threads of a warp have no products each is left to one thread.
inline constexpr int64_t kShortDepth = 32;

// `grid` is what `loops` are as a grid: a sum of products whose factors share no axis of the result
// but those of a batch. Without tiles, which are chosen by who knows the GPU. Nothing where it is
// no such sum, or has too few rows or columns. `tf32`: factors of float32 may be rounded to that.
std::optional<ir::TiledProduct> MatchProduct(ir::Context& context, const ir::GridStride& grid,
                                             ir::StmtRef loops, bool tf32);

// The same where one factor has fewer lines than a tile is for, and the other, a matrix, lies in
// memory as threads read neighbours: without a shape but for how many vectors there are.
std::optional<ir::VectorProduct> MatchVectorProduct(ir::Context& context,
                                                    const ir::GridStride& grid, ir::StmtRef loops);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_PRODUCT_H_
