// Explains why the shape of a result is unknown: which input sizes may be unequal.
#ifndef LATHE_READER_ONNX_UNEQUAL_SIZES_H_
#define LATHE_READER_ONNX_UNEQUAL_SIZES_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Lists the sizes of the tensors in `inputs` that would have to be equal to broadcast, and how the
// user can declare that. Returns an empty string if there are none.
std::string DescribeUnequalSizes(Import& import, const std::vector<Term>& inputs);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_UNEQUAL_SIZES_H_
