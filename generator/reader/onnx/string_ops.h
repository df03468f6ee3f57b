// What operators that take strings among other things have of strings.cc.
#ifndef LATHE_READER_ONNX_STRING_OPS_H_
#define LATHE_READER_ONNX_STRING_OPS_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

absl::StatusOr<Results> EqualStrings(NodeCall& n);

// Where each string of the first input stands among `keys`, and -1.
absl::StatusOr<Operand> FindStrings(NodeCall& n, const std::vector<std::string>& keys);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_STRING_OPS_H_
