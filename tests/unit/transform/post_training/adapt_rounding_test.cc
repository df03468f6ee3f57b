// Compares adapted rounding with rounding to the nearest integers by the error of the products.
#include "generator/transform/post_training/adapt_rounding.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "generator/interp/data/random_input.h"
#include "generator/ops/complete_call.h"
#include "generator/transform/post_training/constant_values.h"
#include "gtest/gtest.h"

namespace lathe::transform {
namespace {

constexpr int kBits = 4;

std::vector<float> Uniform(const std::string& name, size_t count) {
  interp::RandomInput random(3, name);
  std::vector<float> out;
  for (size_t i = 0; i < count; ++i) {
    const ir::DType real = ir::DType::Float(32);
    out.push_back(static_cast<float>(interp::ToDouble(real, random.Next(real))));
  }
  return out;
}

interp::TensorRef TensorOf(std::vector<int64_t> shape, const std::vector<float>& values) {
  const auto budget = std::make_shared<interp::MemoryBudget>();
  auto tensor = interp::NewTensor(ir::DType::Float(32), std::move(shape), budget);
  for (size_t i = 0; i < values.size(); ++i) {
    (*tensor)->Set(i, interp::FromDouble(ir::DType::Float(32), static_cast<double>(values[i])));
  }
  return *tensor;
}

// A product of rows with correlated elements, as images have them.
struct Product {
  ir::Module module;
  ir::Call call;
  interp::TensorRef x;

  Product(const std::string& op, std::vector<int64_t> data, std::vector<int64_t> weights,
          ir::AttrMap attrs) {
    size_t count = 1, elements = 1;
    for (int64_t dim : weights) count *= static_cast<size_t>(dim);
    for (int64_t dim : data) elements *= static_cast<size_t>(dim);
    const ir::ValueId value = module.values.Add({"x"});
    const auto id = module.constants.Add(FloatConstant(std::move(weights), Uniform("w", count)));
    call = ops::CallOf(op, {ir::Operand{value}, ir::Operand{id}}, std::move(attrs));
    std::vector<float> values = Uniform("x", elements);
    for (size_t i = 1; i < values.size(); ++i) values[i] = 0.8F * values[i - 1] + values[i] + 0.1F;
    x = TensorOf(std::move(data), values);
  }
  const ir::Constant& weights() const {
    return module.constants[*call.args[1].As<ir::ConstantId>()];
  }
};

// The squared error of all products, and the mean error of each column.
struct ProductError {
  double squares = 0;
  std::vector<double> means;
};
ProductError ErrorOf(const Product& p, const ProductView& view, const QuantizedWeights& quantized) {
  const std::vector<float> values = FloatsOf(p.weights());
  ProductError out;
  out.means.resize(static_cast<size_t>(view.columns()));
  double rows = 0;
  view.ForEachRow(*p.x, 1, [&](int64_t g, const std::vector<double>& row) {
    if (g == 0) ++rows;
    for (int64_t c = 0; c < view.columns_of_group(); ++c) {
      const int64_t column = g * view.columns_of_group() + c;
      double error = 0;
      for (int64_t k = 0; k < view.depth(); ++k) {
        const size_t at = view.WeightAt(column, k);
        const auto scale = static_cast<double>(quantized.scales[static_cast<size_t>(column)]);
        error += (static_cast<double>(quantized.integers[at]) * scale -
                  static_cast<double>(values[at])) *
                 row[static_cast<size_t>(k)];
      }
      out.squares += error * error;
      out.means[static_cast<size_t>(column)] += error;
    }
  });
  for (double& mean : out.means) mean /= rows;
  return out;
}

void ExpectLessError(const Product& p, int axis) {
  const ProductView view(p.module, p.call);
  InputMoments moments(view);
  moments.Add(*p.x);
  QuantizedWeights quantized =
      QuantizeWeights(p.weights(), ChannelGroups(p.weights().shape, axis), kBits);
  const ProductError nearest = ErrorOf(p, view, quantized);
  AdaptRounding(p.weights(), moments, quantized);
  const ProductError adapted = ErrorOf(p, view, quantized);
  EXPECT_LT(adapted.squares, 0.9 * nearest.squares);
  const std::vector<double> means = MeanErrors(p.weights(), moments, quantized);
  ASSERT_EQ(means.size(), adapted.means.size());
  for (size_t c = 0; c < means.size(); ++c) EXPECT_NEAR(means[c], adapted.means[c], 1e-9);
  for (const int64_t q : quantized.integers) {
    EXPECT_LE(q, (1 << (kBits - 1)) - 1);
    EXPECT_GE(q, -(1 << (kBits - 1)));
  }
}

TEST(AdaptRoundingTest, MatrixProductsHaveLessError) {
  ExpectLessError(Product("relax.matmul", {200, 24}, {24, 10}, {}), 1);
}

TEST(AdaptRoundingTest, ConvolutionsHaveLessError) {
  ExpectLessError(Product("relax.nn.conv2d", {1, 4, 12, 12}, {6, 4, 3, 3},
                          {{"padding", ir::AttrList{1, 1, 1, 1}}}),
                  0);
  ExpectLessError(Product("relax.nn.conv2d", {1, 12, 12, 4}, {3, 3, 2, 6},
                          {{"data_layout", "NHWC"}, {"kernel_layout", "HWIO"}, {"groups", 2}}),
                  3);
  ExpectLessError(
      Product("relax.nn.conv2d", {1, 4, 12, 12}, {4, 1, 3, 3},
              {{"groups", 4}, {"strides", ir::AttrList{2, 1}}, {"dilation", ir::AttrList{1, 2}}}),
      0);
}

// Inputs that are always zero leave the weights rounded to the nearest integers.
TEST(AdaptRoundingTest, ZeroInputsChangeNothing) {
  Product p("relax.matmul", {5, 3}, {3, 2}, {});
  p.x = TensorOf({5, 3}, std::vector<float>(15));
  InputMoments moments(ProductView(p.module, p.call));
  moments.Add(*p.x);
  QuantizedWeights quantized =
      QuantizeWeights(p.weights(), ChannelGroups(p.weights().shape, 1), kBits);
  const QuantizedWeights before = quantized;
  AdaptRounding(p.weights(), moments, quantized);
  EXPECT_EQ(quantized.integers, before.integers);
}

}  // namespace
}  // namespace lathe::transform
