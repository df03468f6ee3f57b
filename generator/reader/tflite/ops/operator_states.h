// Lists the state that operators of audio frames and of random numbers keep between runs, which no
// tensor of the model holds.
#ifndef LATHE_READER_TFLITE_OPS_OPERATOR_STATES_H_
#define LATHE_READER_TFLITE_OPS_OPERATOR_STATES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/dtype.h"
#include "generator/reader/tflite/format/model.h"

namespace lathe::tflite {

// A part of the state of an operator. All its bytes are 0 before the first run.
struct StatePart {
  std::string name;  // unique in the operator
  std::vector<int64_t> shape;
  ir::DType dtype;
};
inline constexpr char kHistoryPart[] = "history", kCountPart[] = "count";

// Cuts rows of samples into frames that overlap. A row is the history, followed by the input; frame
// k starts at sample k * step.
struct FrameForm {
  int64_t rows = 1, width = 0;  // of the input
  int64_t frames = 1, size = 0, step = 0;
  int64_t kept = 0;   // samples of the history
  int64_t first = 0;  // frames before the first valid one
};
// Returns the form of a SignalFramer or SignalDelay. Fails, like the two functions below, if the
// options or the shapes of the operator are malformed.
absl::StatusOr<FrameForm> FrameFormOf(const Subgraph& graph, const Operator& op);

// SignalStacker: each result is the last `slots` inputs. It is valid in run `first` and in every
// `step`th run after that one.
struct StackForm {
  int64_t channels = 0, slots = 1, first = 0, step = 1;
};
absl::StatusOr<StackForm> StackFormOf(const Subgraph& graph, const Operator& op);

// SignalOverlapAdd: adds frames, each `step` samples after the one before.
struct OverlapForm {
  int64_t rows = 1, frames = 1, size = 0, step = 0;
};
absl::StatusOr<OverlapForm> OverlapFormOf(const Subgraph& graph, const Operator& op);

// Returns the parts of the state; empty for operators without state and for malformed ones.
std::vector<StatePart> StatePartsOf(const Subgraph& graph, const Operator& op);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_OPERATOR_STATES_H_
