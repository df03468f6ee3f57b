// Lists the variables of a model: tensors that keep their values between runs.
#ifndef LATHE_READER_TFLITE_OPS_VARIABLES_H_
#define LATHE_READER_TFLITE_OPS_VARIABLES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/reader/tflite/ops/graph_import.h"

namespace lathe::tflite {

struct Variable {
  std::string key;   // in ModelImport::variables
  std::string name;  // for parameters
  std::vector<int64_t> shape;
  ir::DType dtype;
  int64_t first_byte = 0;  // the value of every byte before the first run
};

// Returns the key of variable tensor `tensor` of a subgraph, of a resource variable, of the flag
// that tells whether CALL_ONCE ran a subgraph, and of the state of an operator or a part of it.
std::string TensorKey(int64_t subgraph, int32_t tensor);
std::string ResourceKey(const std::string& container, const std::string& name);
std::string OnceKey(int64_t subgraph);
std::string StateKey(int64_t subgraph, int64_t op, const std::string& part = "");

// Returns the variables. Resource variables have the shape of the first value that is assigned to
// them.
absl::StatusOr<std::vector<Variable>> VariablesOf(ModelImport& model);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_OPS_VARIABLES_H_
