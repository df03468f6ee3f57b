// Evaluates nodes with constant inputs during the import.
#ifndef LATHE_READER_ONNX_FOLD_NODE_H_
#define LATHE_READER_ONNX_FOLD_NODE_H_

#include <optional>
#include <vector>

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Evaluates the node if its inputs are small constants, so that computed shapes are known. Returns
// nothing otherwise, or on an error, which the import of the node reports.
std::optional<Results> FoldNode(Import& import, const Scope& scope, const Node& node,
                                const std::vector<Term>& inputs);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FOLD_NODE_H_
