// Reads the attributes and layouts that convolutions and pools share.
#ifndef LATHE_READER_RELAY_TEXT_OPS_WINDOWS_H_
#define LATHE_READER_RELAY_TEXT_OPS_WINDOWS_H_

#include <string>
#include <vector>

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Returns the axes of an image of `rank` spatial dimensions: "HW".
std::string SpaceLetters(int rank);

// Returns a list with one value per spatial axis.
absl::StatusOr<std::vector<int64_t>> PerSpatialAxis(OpCall& c, const std::string& attribute,
                                                    int rank);
// Returns the attribute "padding" as 2 * rank values: 1 for all sides, one per axis, or all of
// them.
absl::StatusOr<std::vector<int64_t>> PaddingOf(OpCall& c, int rank);

// Returns the axis of each letter of `letters` in the layout: {2, 3} for "HW" in "NCHW".
absl::StatusOr<std::vector<int>> AxesOfLayout(OpCall& c, const std::string& layout,
                                              const std::string& letters);

// Returns the attribute `out_layout`, or `layout` if it is empty.
std::string OutLayout(OpCall& c, const std::string& layout);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_WINDOWS_H_
