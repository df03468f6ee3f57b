// Integers in inputs of the model that say how many values there are: how often a loop turns, where
// a sequence grows. The program is made for those that whoever compiles it names, and a run with
// others ends before anything is computed.
#ifndef LATHE_READER_ONNX_LIKELY_VALUES_H_
#define LATHE_READER_ONNX_LIKELY_VALUES_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// The integers that `term` is compiled for, when it is known, or an input that is named: the node
// is held to them then.
std::optional<std::vector<int64_t>> TakeInts(NodeCall& n, Term& term);
std::optional<std::vector<int64_t>> TakeInts(NodeCall& n, int input);

// The one integer, or bool, of what is known.
std::optional<int64_t> OneInt(NodeCall& n, const Term& term);
// The same, or the one that it is compiled for.
std::optional<int64_t> TakeOne(NodeCall& n, Term& term);

// What the node gives, once its inputs hold what was taken of them.
absl::Status HoldToTaken(NodeCall& n, Results& results);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_LIKELY_VALUES_H_
