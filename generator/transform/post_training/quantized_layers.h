// Finds the operators of a float network that are computed in integers after quantization.
//
//   lv = R.nn.conv2d(x, w)        core: the operator itself
//   lv1 = R.add(lv, b)            bias       } one layer: only its result is quantized
//   y = R.nn.relu(lv1)            result
#ifndef LATHE_TRANSFORM_POST_TRAINING_QUANTIZED_LAYERS_H_
#define LATHE_TRANSFORM_POST_TRAINING_QUANTIZED_LAYERS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/module.h"

namespace lathe::transform {

enum class LayerKind {
  kProduct,     // a convolution or matrix product with constant weights
  kArithmetic,  // other arithmetic: sums, products, means, activations
  kMove,        // moves or selects elements; the result has the scale of the input
};

// The axes of the channels of a product: in the weights, each channel has its own scale.
struct ProductAxes {
  int weights = 0;
  int result = 0;
  int input = 0;   // the axis that the product sums over, for convolutions with the window
  int summed = 0;  // the same axis in the weights
};
struct QuantizedLayer {
  std::string name;  // of its result
  std::string op;    // "nn.conv2d"
  LayerKind kind = LayerKind::kArithmetic;
  ir::ValueId core;                    // the result of the operator
  std::optional<ir::ValueId> sum;      // the result of the addition of the bias
  std::optional<ir::ConstantId> bias;  // one element per channel
  size_t bias_operand = 1;             // of the addition
  ir::ValueId result;                  // after bias and activation
  std::vector<ir::ValueId> inputs;     // operands that are not constants
  ProductAxes axes;                    // of products
  bool is_function = false;            // an elementwise function of one tensor
};

struct NetworkLayers {
  std::vector<QuantizedLayer> layers;  // in the order of the program
  // The points: the tensors to quantize, in the order of the program. They are parameters and
  // results of bindings.
  std::vector<ir::ValueId> points;
  // For each result of a move, the point whose scale it has.
  absl::flat_hash_map<ir::ValueId, ir::ValueId> moved_from;
};

// Returns true for a convolution of one or two dimensions without blocks in its layouts, or a
// product with a matrix, if the data is a variable and the weights are constant and float32.
bool IsProductWithWeights(const ir::Module& module, const ir::Call& call);
ProductAxes AxesOfProduct(const ir::Module& module, const ir::Call& call);

// Searches the bindings of the function, not those of branches. Layers whose names are in `keep`
// stay in float32. Needs Value::info.
NetworkLayers FindLayers(const ir::Module& module, const ir::Function& function,
                         const absl::flat_hash_set<std::string>& keep);

// Returns only the products of `network`, and their inputs and results as points: the layers whose
// weights can be integers between activations in float32.
NetworkLayers OnlyProducts(NetworkLayers network);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_QUANTIZED_LAYERS_H_
