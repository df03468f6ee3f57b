// Extracts the part of a graph that computes given values.
#ifndef LATHE_READER_ONNX_FORMAT_CUT_GRAPH_H_
#define LATHE_READER_ONNX_FORMAT_CUT_GRAPH_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "generator/reader/onnx/format/model.h"

namespace lathe::onnx {

// Makes `outputs` the outputs of the graph, with their declared types, and removes the nodes and
// inputs that they do not need. Fails if a name is neither an input of the graph nor an output of a
// node.
absl::Status CutGraph(const std::vector<std::string>& outputs, Graph& graph);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FORMAT_CUT_GRAPH_H_
