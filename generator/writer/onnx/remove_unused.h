// Removes nodes and initializers that no output of an ONNX graph depends on.
#ifndef LATHE_WRITER_ONNX_REMOVE_UNUSED_H_
#define LATHE_WRITER_ONNX_REMOVE_UNUSED_H_

#include "generator/reader/onnx/format/model.h"

namespace lathe::onnx {

// Names that branches use count as used. The nodes inside branches stay.
void RemoveUnused(Graph& graph);

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_REMOVE_UNUSED_H_
