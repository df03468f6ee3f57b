// Builds constant tables of numbers from attributes, and reads them in kernels.
#ifndef LATHE_READER_ONNX_LOOKUP_TABLES_H_
#define LATHE_READER_ONNX_LOOKUP_TABLES_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/node_call.h"

namespace lathe::onnx {

// Returns a table of int64 of these dimensions, by default those of a list.
Operand IntTable(NodeCall& n, const std::vector<int64_t>& values, std::vector<int64_t> shape = {});
// Returns a table of uint8, int8, int16, int32 or int64, the first of these that represents all
// values. It is for large tables.
Operand SmallIntTable(NodeCall& n, const std::vector<int64_t>& values);
Operand NumberTable(NodeCall& n, const std::vector<double>& values, DType dtype);

// Returns the elements of a tensor attribute, or an empty list if it is absent. A malformed tensor
// is an error of the node.
absl::StatusOr<std::vector<double>> NumbersOf(NodeCall& n, const std::string& name);
// Returns the elements of the attribute `name`, a list of floats, or of the tensor NAME_as_tensor.
// Reports a node that has both.
absl::StatusOr<std::vector<double>> FloatsOrTensor(NodeCall& n, const std::string& name);

// Reads element `at` of kernel input `input`, an integer table, as int64.
PrimRef TableEntry(Te& te, int input, PrimRef at);

// Rejects NaN.
absl::Status NeedNumbers(NodeCall& n, const std::string& name, const std::vector<double>& values);

// Returns `x` as rows of features (rows, features) of `dtype`. A tensor of rank 1 is one row.
absl::StatusOr<Operand> FeatureRows(NodeCall& n, const Operand& x, DType dtype);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_LOOKUP_TABLES_H_
