// Reads the attributes and layouts that convolutions and pools share.
#ifndef LATHE_READER_RELAY_TEXT_OPS_WINDOWS_H_
#define LATHE_READER_RELAY_TEXT_OPS_WINDOWS_H_

#include <string>
#include <vector>

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Returns the letters of the `rank` spatial axes of an image, 1 to 3: "W", "HW", "DHW".
std::string SpaceLetters(int rank);

// Returns the list `attribute`, which must have a value for each of the `rank` spatial axes. An
// empty list means 1 for each axis. Fails, after reporting it, for another number of values.
absl::StatusOr<std::vector<int64_t>> PerSpatialAxis(OpCall& c, const std::string& attribute,
                                                    int rank);
// Returns the attribute "padding" as 2 * rank values: those at the start of each axis, then those
// at the end. The list may have one value for all sides, or one for each axis. Fails, after
// reporting it, for another number of values.
absl::StatusOr<std::vector<int64_t>> PaddingOf(OpCall& c, int rank);

// Returns the axis of each letter of `letters` in the layout: {2, 3} for "HW" in "NCHW". Fails,
// after reporting it, if the layout lacks a letter.
absl::StatusOr<std::vector<int>> AxesOfLayout(OpCall& c, const std::string& layout,
                                              const std::string& letters);

// Returns the attribute `out_layout`, or `layout` if it is empty.
std::string OutLayout(OpCall& c, const std::string& layout);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_WINDOWS_H_
