// Nodes of which everything is known when the model is imported.
#ifndef LATHE_READER_ONNX_FOLD_NODE_H_
#define LATHE_READER_ONNX_FOLD_NODE_H_

#include <optional>
#include <vector>

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// What the node gives, when its inputs are small constants: evaluated, so that shapes that are
// computed in the graph are known. Nothing when they are not, or something is wrong, which the
// import of the node finds again.
std::optional<Results> FoldNode(Import& import, const Scope& scope, const Node& node,
                                const std::vector<Term>& inputs);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FOLD_NODE_H_
