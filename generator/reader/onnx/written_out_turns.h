// Loops of a known number of turns, which stand one behind the other in the program.
#ifndef LATHE_READER_ONNX_WRITTEN_OUT_TURNS_H_
#define LATHE_READER_ONNX_WRITTEN_OUT_TURNS_H_

#include <vector>

#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/run_time_loop.h"

namespace lathe::onnx {

// More turn when the program runs.
inline constexpr int64_t kMostTurns = 4096;

// What each turn gave, as one tensor with a new axis, the last turn first perhaps.
absl::StatusOr<Operand> Stack(NodeCall& n, std::vector<Term>& items, int64_t axis, bool backwards);

// What a turn would give beyond its first `states` results, where there is none: as the body
// declares it, or as it follows from `inputs`, which are like those of a turn.
absl::StatusOr<std::vector<Collected>> ElementsWithoutTurns(NodeCall& n, const Graph& body,
                                                            const std::vector<Term>& inputs,
                                                            size_t states);

// No elements along `axis`, which is new.
Operand NoElements(NodeCall& n, const Collected& element, int axis);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_WRITTEN_OUT_TURNS_H_
