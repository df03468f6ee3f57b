// Packs weights into the order in which a tiled sum reads them.
#ifndef LATHE_SCHEDULE_VECTORS_PACK_PANELS_H_
#define LATHE_SCHEDULE_VECTORS_PACK_PANELS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "generator/ir/kernel_form.h"
#include "generator/ir/module.h"

namespace lathe::schedule {

// The layout of a matrix in memory: its columns and the reduction axes, outermost first.
struct PanelSource {
  int64_t start = 0;
  int64_t columns = 0;
  int64_t column_stride = 0;
  std::vector<int64_t> k_extents;
  std::vector<int64_t> k_strides;
};

// Returns the layout of the factor along columns, if its offsets are constants.
std::optional<PanelSource> SourceOfPanels(const ir::TiledSum& sum);

// Returns the offsets of all k in order, in the first column.
std::vector<int64_t> PlacesOf(const PanelSource& source);

// Returns [panel][k][column of the panel] with `width` columns in each panel; the last one is
// padded with zeros.
ir::Constant PackPanels(const ir::Constant& weights, const PanelSource& source, int64_t width);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_VECTORS_PACK_PANELS_H_
