// Matches matrix products among the loops of a kernel after fusion, regardless of the source
// operators. Convolutions are such products too.
#ifndef LATHE_SCHEDULE_CUDA_MATCH_PRODUCT_H_
#define LATHE_SCHEDULE_CUDA_MATCH_PRODUCT_H_

#include <cstdint>
#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Products that are known to have fewer rows or columns, or a smaller reduction, are not tiled:
// most of any tile would be empty.
inline constexpr int64_t kFewLines = 8;
inline constexpr int64_t kFewProducts = 4;
// Reductions shorter than a warp are not split across its threads.
inline constexpr int64_t kShortDepth = 32;

// Matches `loops`, whose grid is `grid`, if they are a sum of products whose factors share only
// batch axes of the result. Tiles are chosen later for the GPU. Returns nullopt for other loops,
// too few rows or columns, or a sum too short. `tf32`: float32 factors may be rounded to tf32.
std::optional<ir::TiledProduct> MatchProduct(ir::Context& context, const ir::GridStride& grid,
                                             ir::StmtRef loops, bool tf32);

// Matches such a sum of at least kShortDepth products, if one factor has fewer than kFewLines
// lines, the vectors, and the other, a matrix, is contiguous across neighboring threads. Returns
// nullopt for other loops. Of the shape, it sets only the number of vectors and which factor they
// are.
std::optional<ir::VectorProduct> MatchVectorProduct(ir::Context& context,
                                                    const ir::GridStride& grid, ir::StmtRef loops);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_PRODUCT_H_
