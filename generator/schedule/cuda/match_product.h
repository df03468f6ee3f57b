// Matches matrix products among the loops of a kernel after fusion, regardless of the source
// operators. Convolutions are such products too.
#ifndef LATHE_SCHEDULE_CUDA_MATCH_PRODUCT_H_
#define LATHE_SCHEDULE_CUDA_MATCH_PRODUCT_H_

#include <cstdint>
#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"

namespace lathe::schedule {

// Products with fewer rows or columns, or with a smaller reduction, are not tiled: most of any tile
// would be empty.
inline constexpr int64_t kFewLines = 8;
inline constexpr int64_t kFewProducts = 4;
// Reductions shorter than a warp are not split across its threads.
inline constexpr int64_t kShortDepth = 32;

// Matches `loops`, whose grid is `grid`, if they are a sum of products whose factors share only
// batch axes of the result. Tiles are chosen later for the GPU. Returns nullopt for other loops or
// too few rows or columns. `tf32`: float32 factors may be rounded to tf32.
std::optional<ir::TiledProduct> MatchProduct(ir::Context& context, const ir::GridStride& grid,
                                             ir::StmtRef loops, bool tf32);

// Matches such a sum if one factor has fewer than kFewLines rows and the other, a matrix, is
// contiguous across neighboring threads. Sets only the number of vectors; the shape is chosen
// later.
std::optional<ir::VectorProduct> MatchVectorProduct(ir::Context& context,
                                                    const ir::GridStride& grid, ir::StmtRef loops);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_MATCH_PRODUCT_H_
