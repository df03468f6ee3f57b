// Slices a tensor by constant bounds.
#ifndef LATHE_READER_RELAY_TEXT_OPS_SLICE_OF_H_
#define LATHE_READER_RELAY_TEXT_OPS_SLICE_OF_H_

#include <optional>
#include <vector>

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

struct SliceBounds {
  // Lists that are too short are completed by stride 1, and by bounds of the whole axis in the
  // direction of the stride.
  std::vector<int64_t> begin, end, strides;
  std::optional<std::vector<int64_t>> axes;  // without them the first ones
  bool end_is_size = false;                  // then strides are ignored, as in Relay
};

absl::StatusOr<Operand> StridedSlice(OpCall& c, const Operand& x, const SliceBounds& bounds);

// Repeats a tensor along its axes.
absl::StatusOr<Operand> Tiled(OpCall& c, Operand x, const std::vector<int64_t>& reps);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_SLICE_OF_H_
