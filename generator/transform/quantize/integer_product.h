// Products of small integers with known weights, as loop nests: a row of the image, or a window of
// it, times each column of weights, two rows and four columns at a time.
//
//   acc = bias[c] + sum over k of x[row, k] * weights[c, k]
//
// `bias` holds what the zero point of x adds, so that no zero point is in the loop; where a window
// leaves the image, the zero point itself stands for what is there.
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

// A window over an image, whose channels are innermost.
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
  IntegerTensor x;                           // as the kernel is given it: `data` and `dims`
  std::vector<int64_t> dims;                 // of the result, as the kernel stores it
  bool channels_first = false;               // it stores a window's columns as [N, C, H, W]
  int64_t rows = 1, columns = 1, depth = 1;  // columns of all groups; depth of one
  std::optional<IntegerWindow> window;
  std::vector<int32_t> weights;  // [columns][depth]
  std::vector<double> scales;    // of each column
  std::vector<double> bias;      // real, of each column; empty: none
  int64_t moved = 0;             // each element of x is multiplied as so much less
};

// Emits it with the result's scale, clamped as `op` says. Nothing when sums do not fit 32 bits, or
// factors no multiplier.
Made EmitIntegerProduct(IntegerGraph& graph, const IntegerProduct& product, const RealOperator& op,
                        const WantedResult& wanted);

// The constant of its weights, in the order in which a kernel reads them.
struct StoredWeights {
  std::vector<int64_t> dims;
  std::vector<int64_t> values;
};
// The kernel, whose parameters are x, weights and bias, and what the epilogue declares.
using WriteProduct = ir::PrimFunc(ir::DType weight_dtype, IntegerEpilogue& epilogue,
                                  ir::DType out_dtype);

// What every kernel of such products is given. Nothing as above.
struct ProductNumbers {
  ir::DType weight_dtype;     // that holds all weights
  std::vector<int64_t> bias;  // the int32 sum that a column starts from
  IntegerEpilogue epilogue;   // the way back from the sums
};
std::optional<ProductNumbers> NumbersOf(const IntegerProduct& product, const RealOperator& op,
                                        const WantedResult& wanted);

// The kernel, and the constants that it is given. Nothing as above.
Made EmitProductKernel(IntegerGraph& graph, const IntegerProduct& product, const RealOperator& op,
                       const WantedResult& wanted, const StoredWeights& weights,
                       absl::FunctionRef<WriteProduct> write);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_INTEGER_PRODUCT_H_
