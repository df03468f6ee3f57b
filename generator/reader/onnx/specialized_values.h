// Specializes nodes for the elements of integer inputs that determine a number of values, such as a
// trip count or an insertion index. The user provides these elements (`--like DIR`). The generated
// code compares the actual inputs with them and fails before it computes anything else.
#ifndef LATHE_READER_ONNX_SPECIALIZED_VALUES_H_
#define LATHE_READER_ONNX_SPECIALIZED_VALUES_H_

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Returns the elements of `term` if they are constant or provided by the user. In the latter case
// the node is specialized for them.
std::optional<std::vector<int64_t>> SpecializeInts(NodeCall& n, Term& term);
std::optional<std::vector<int64_t>> SpecializeInts(NodeCall& n, int input);

// Returns the first element, an integer or bool, if the term is a constant.
std::optional<int64_t> ConstantInt(NodeCall& n, const Term& term);
// Returns the only element if SpecializeInts returns exactly one.
std::optional<int64_t> SpecializeInt(NodeCall& n, Term& term);

// Makes `results` depend on a check that the inputs have the values that the node is specialized
// for.
absl::Status RequireSpecializedInputs(NodeCall& n, Results& results);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_SPECIALIZED_VALUES_H_
