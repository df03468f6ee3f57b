// Converts a regular expression to a deterministic automaton over bytes.
#ifndef LATHE_READER_ONNX_PATTERN_STATE_TABLE_H_
#define LATHE_READER_ONNX_PATTERN_STATE_TABLE_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/reader/onnx/pattern/pattern.h"

namespace lathe::onnx {

// Starts in state 0. Bytes of one class lead to the same states.
struct StateTable {
  std::array<uint8_t, 256> classes = {};
  int class_count = 0;
  std::vector<int> next;          // by state and class
  std::vector<bool> is_accepted;  // by state: the string may end here
};

// Returns the automaton of `pattern`. Returns ResourceExhausted for patterns that need more than
// kMaxPatternStates states or kMaxPatternPlaces steps (state_table.cc).
absl::StatusOr<StateTable> TableOf(const Pattern& pattern);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_PATTERN_STATE_TABLE_H_
