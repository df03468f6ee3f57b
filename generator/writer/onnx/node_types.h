// Checks the dtypes of ONNX nodes by the table node_types.def, and derives those of their results.
// ONNX defines many operators for some dtypes only, and runtimes refuse models with others.
#ifndef LATHE_WRITER_ONNX_NODE_TYPES_H_
#define LATHE_WRITER_ONNX_NODE_TYPES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "generator/ir/dtype.h"
#include "generator/reader/onnx/format/model.h"

namespace lathe::onnx {

// The oldest operator set that is written: runtimes support older ones better.
inline constexpr int64_t kFirstOpset = 20;
// The operator set that has integers of 4 and 16 bits in quantized models.
inline constexpr int64_t kSecondOpset = 21;

// Returns the number of an element type in onnx.proto; 0: ONNX has none for it.
int32_t ElementTypeOf(ir::DType dtype);

struct NodeTypes {
  std::vector<ir::DType> results;  // void after a failure
  int64_t opset = kFirstOpset;     // that the node needs
  std::string failure;             // why the operands are not allowed; empty: they are
};

// Checks the operands of `node` and returns the dtypes of its results. `operands` are the dtypes of
// the inputs of the node; void: unknown or absent.
NodeTypes TypesOf(const Node& node, const std::vector<ir::DType>& operands);

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_NODE_TYPES_H_
