// Emits products of small integers with constant weights as loop nests. A row of the image, or a
// window of it, is multiplied by each column of weights, in blocks of two rows and four columns.
// Targets with vectors sum panels of columns instead. The other styles of IntegerLoops have files
// of their own.
//
//   acc = bias[c] + sum over k of x[row, k] * weights[c, k]
//
// `bias` includes the contribution of the zero point of x, so the loop has no zero point. Padding
// of a window has the value of the zero point.
#ifndef LATHE_TRANSFORM_QUANTIZE_INTEGER_PRODUCT_H_
#define LATHE_TRANSFORM_QUANTIZE_INTEGER_PRODUCT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "generator/transform/quantize/integer_epilogue.h"
#include "generator/transform/quantize/integer_operator.h"

namespace lathe::transform {

// A window over an image with channels last.
struct IntegerWindow {
  int64_t batch = 1, height = 1, width = 1, channels = 1;
  int64_t kernel_h = 1, kernel_w = 1;
  int64_t stride_h = 1, stride_w = 1;
  int64_t dilation_h = 1, dilation_w = 1;
  int64_t top = 0, left = 0, bottom = 0, right = 0;
  int64_t out_h = 1, out_w = 1;
  int64_t groups = 1;

  bool has_padding() const { return top + left + bottom + right > 0; }
  bool is_dot() const { return kernel_h == 1 && kernel_w == 1; }
};

struct IntegerProduct {
  std::string name;                          // of the kernel
  IntegerTensor x;                           // the input of the kernel: `data` and `dims`
  std::vector<int64_t> dims;                 // of the result, as the kernel stores it
  bool channels_first = false;               // the result of a window is stored as [N, C, H, W]
  int64_t rows = 1, columns = 1, depth = 1;  // columns of all groups; depth of one
  std::optional<IntegerWindow> window;
  std::vector<int32_t> weights;  // [columns][depth]
  std::vector<double> scales;    // of each column
  std::vector<double> bias;      // real, of each column, or as below; empty: none
  int64_t moved = 0;             // subtracted from each element of x
  // Defined in integers: sums start with `bias` in their own units, and `epilogue` converts them.
  // Scales do not matter then.
  std::optional<IntegerEpilogue> epilogue;
};

// Returns true if each channel is multiplied by weights of its own.
inline bool IsDepthwise(const IntegerProduct& p) {
  return p.window && p.window->groups > 1 && p.window->groups == p.window->channels &&
         p.columns == p.window->channels;
}

// Emits the product with the scale of the result, clamped by `op`. Uses the kernels of the style of
// `graph` where they support the product. Returns nullopt if sums do not fit 32 bits, if the bias
// cannot be added accurately in units of the sums, or if no multiplier represents the factors.
MaybeOperand EmitIntegerProduct(IntegerGraph& graph, const IntegerProduct& product,
                                const RealOperator& op, const RequiredResult& wanted);

// The weights as a constant, in the order in which the kernel reads them.
struct StoredWeights {
  std::vector<int64_t> dims;
  std::vector<int64_t> values;
  bool packed = false;  // as int4
};
// Generates the kernel. Its parameters are x, weights, bias and the parameter of the epilogue.
using WriteProduct = ir::PrimFunc(ir::DType weight_dtype, IntegerEpilogue& epilogue,
                                  ir::DType out_dtype);

// Emits the kernel that `write` generates, and its constant arguments. Returns nullopt in the cases
// of EmitIntegerProduct().
MaybeOperand EmitProductKernel(IntegerGraph& graph, const IntegerProduct& product,
                               const RealOperator& op, const RequiredResult& wanted,
                               const StoredWeights& weights, absl::FunctionRef<WriteProduct> write);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_PRODUCT_H_
