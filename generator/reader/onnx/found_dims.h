// Computes, at run time, dimensions of results that depend on the values of inputs.
#ifndef LATHE_READER_ONNX_FOUND_DIMS_H_
#define LATHE_READER_ONNX_FOUND_DIMS_H_

#include <functional>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Returns new shape variables for the `rank` dimensions of a result, which `sizes` computes from
// the kernel inputs `args`. The run fails with LATHE_E_SHAPE if one is negative.
Dims FoundDims(NodeCall& n, const Operands& args, size_t rank,
               const std::function<Dims(Te& te)>& sizes);

// Returns a new shape variable for the size of one axis, as FoundDims does.
PrimRef FoundDim(NodeCall& n, const Operands& args, const std::function<PrimRef(Te& te)>& size);

// Returns the sizes in the list that is input `i`: its elements, if they are known, or new shape
// variables. Later nodes see these variables as the elements of the input. Returns nothing if the
// length of the list is not constant.
std::optional<Dims> SizesIn(NodeCall& n, int i);

// Returns the number of entries of the list that is input `i`, if it is constant. Reports an error
// of the node if it exceeds the rank that a tensor may have.
std::optional<size_t> EntriesOf(NodeCall& n, int i);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FOUND_DIMS_H_
