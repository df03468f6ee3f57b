// Why the shape of a result is not known: sizes of the inputs that are not known to be equal.
#ifndef LATHE_READER_ONNX_UNEQUAL_SIZES_H_
#define LATHE_READER_ONNX_UNEQUAL_SIZES_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Says which sizes of the tensors among `inputs`, aligned as they are broadcast, would have to be
// equal, and how a user makes them so; empty where there are none.
std::string DescribeUnequalSizes(Import& import, const std::vector<Term>& inputs);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_UNEQUAL_SIZES_H_
