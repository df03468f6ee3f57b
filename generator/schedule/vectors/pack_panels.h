// Weights in the order in which a tiled sum reads them.
#ifndef LATHE_SCHEDULE_VECTORS_PACK_PANELS_H_
#define LATHE_SCHEDULE_VECTORS_PACK_PANELS_H_

#include <cstdint>
#include <vector>

#include "generator/ir/module.h"

namespace lathe::schedule {

// Where the elements of a matrix lie: the columns, and the axes that it is summed over, outermost
// first.
struct PanelSource {
  int64_t start = 0;
  int64_t columns = 0;
  int64_t column_stride = 0;
  std::vector<int64_t> k_extents;
  std::vector<int64_t> k_strides;
};

// [panel][k][column of the panel], of `width` columns each, zeros behind the last one.
ir::Constant PackPanels(const ir::Constant& weights, const PanelSource& source, int64_t width);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_PACK_PANELS_H_
