// Finds integer inputs of a model whose elements determine the shapes of other values.
#ifndef LATHE_READER_ONNX_SIZE_INPUTS_H_
#define LATHE_READER_ONNX_SIZE_INPUTS_H_

#include <set>
#include <string>

#include "generator/reader/onnx/format/model.h"

namespace lathe::onnx {

// Returns the inputs of `model` that shapes, pads or bounds of slices depend on through integer
// arithmetic: int32 and int64 scalars, and lists of a constant length.
std::set<std::string> SizeInputs(const Model& model);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_SIZE_INPUTS_H_
