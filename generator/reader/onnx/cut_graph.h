// A graph that ends where it is asked to: the values that are wanted, and what makes them.
#ifndef LATHE_READER_ONNX_CUT_GRAPH_H_
#define LATHE_READER_ONNX_CUT_GRAPH_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "generator/reader/onnx/model.h"

namespace lathe::onnx {

// `outputs` become the outputs of the graph, with the types that it declares of them; nodes and
// inputs that nothing of that needs are left out. Fails when one is no value of the graph.
absl::Status CutGraph(const std::vector<std::string>& outputs, Graph& graph);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_CUT_GRAPH_H_
