// Applies operators that only move elements to tensors of strings.
#ifndef LATHE_READER_ONNX_STRING_MOVES_H_
#define LATHE_READER_ONNX_STRING_MOVES_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/reader/onnx/node_call.h"
#include "generator/reader/onnx/op_rows.h"

namespace lathe::onnx {

// Returns true if `op` moves elements or reads the shape of a tensor.
bool MovesElements(const std::string& op);

// Returns true if the node moves elements and an input is a tensor of strings.
bool MovesStrings(NodeCall& n);

// Imports such a node. The operator is applied to the indices of the strings, and the strings are
// then gathered.
absl::StatusOr<Results> ImportStringMove(NodeCall& n, const OpRow& row);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_STRING_MOVES_H_
