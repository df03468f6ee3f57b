// Writes a size that contains shape variables as integer nodes, over Shape of the tensors that have
// these variables as dimensions.
#ifndef LATHE_WRITER_ONNX_WRITE_SIZE_H_
#define LATHE_WRITER_ONNX_WRITE_SIZE_H_

#include <string>

#include "generator/ir/prim_expr.h"
#include "generator/writer/onnx/graph_writer.h"

namespace lathe::onnx {

// Returns a list of one int64; an empty name if a variable of `size` is the dimension of no tensor,
// or an operation has no equivalent.
std::string WriteSize(GraphWriter& graph, ir::PrimRef size);

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_WRITE_SIZE_H_
