// Packs integer weights and their scales into the order in which a tiled sum reads them.
#ifndef LATHE_SCHEDULE_VECTORS_PACK_INTEGER_PANELS_H_
#define LATHE_SCHEDULE_VECTORS_PACK_INTEGER_PANELS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/schedule/vectors/pack_panels.h"

namespace lathe::schedule {

// Returns the integers as [panel][k][column of the panel] or, for 4 bits, as
// [panel][k][column of a half][half]. `width` is then even. The last panel is padded with zeros.
ir::Constant PackIntegerPanels(const ir::Constant& weights, const PanelSource& source,
                               int64_t width);

// The scales of a matrix: the offset of that of column 0 for each k, and the distance of columns.
struct ScaleSource {
  std::vector<int64_t> starts;
  int64_t column_stride = 0;
  int64_t columns = 0;
};

// Returns the largest number of steps of k that always share a scale, from k = 0 on. The last block
// may be shorter. `innermost`, the extent of the innermost reduce axis, is a multiple of it, unless
// it is the whole depth or the only axis.
int64_t ScaleBlockOf(const std::vector<int64_t>& starts, int64_t innermost);

// Returns the scales as [panel][block of k][column of the panel], padded with zeros.
ir::Constant PackScalePanels(const ir::Constant& scales, const ScaleSource& source, int64_t block,
                             int64_t width);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_PACK_INTEGER_PANELS_H_
