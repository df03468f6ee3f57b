// Activations, dropout, pixel_shuffle and padding over dtypes, ranks and attributes.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/reference/norm.h"
#include "tests/support/expect_op.h"
#include "tests/support/infer_probe.h"
#include "tests/support/pairwise.h"
#include "tests/unit/ops/float_dtypes.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::ForEach;
using reference::Shape;
using testing::ExpectOp;
using ::testing::HasSubstr;
using testing::Ints;
using testing::RandomArray;
using testing::TypedArray;

const char* const kAll[] = {"float32", "float64", "float16", "bfloat16", "int8",
                            "int32",   "int64",   "uint8",   "bool"};
const Shape kShapes[] = {{}, {7}, {2, 3}, {1, 4, 2}, {2, 0, 3}, {2, 1, 2, 3}, {1, 2, 2, 1, 3}};

// Up to 64 away from 0, for floats also tiny ones: where what is left out or overflows shows.
TypedArray Spread(const Shape& shape, const std::string& dtype, uint32_t seed) {
  TypedArray x = RandomArray(shape, dtype, seed);
  const bool real = dtype.find("float") != std::string::npos;
  for (size_t i = 0; real && i < x.array.data.size(); ++i) {
    if (i % 3 == 1) x.array.data[i] *= 16;
    if (i % 3 == 2) x.array.data[i] /= 1024;
  }
  return x;
}

template <typename F>
TypedArray Each(const TypedArray& x, F f) {
  TypedArray out = x;
  for (double& value : out.array.data) value = f(value);
  return out;
}

TEST(ActivationSweep, OfOneNumber) {
  uint32_t seed = 1;
  for (const std::string op : {"nn.relu", "nn.gelu", "nn.gelu_tanh", "nn.silu", "nn.selu"}) {
    const std::string name = op.substr(3);
    for (const char* dtype : kFloats) {
      for (const Shape& shape : kShapes) {
        const TypedArray x = Spread(shape, dtype, seed++);
        ExpectOp(op, {x}, {}, {Each(x, [&](double v) { return reference::Activation(name, v); })},
                 4);
      }
    }
  }
  for (const char* dtype : kAll) {
    const TypedArray x = Spread({3, 5}, dtype, seed++);
    ExpectOp("nn.relu", {x}, {}, {Each(x, [](double v) { return std::max(v, 0.0); })});
  }
}

TEST(ActivationSweep, LeakyReluAndSoftplus) {
  uint32_t seed = 1;
  const double kNumbers[] = {0.5, 0.01, 2.0, 1.0};
  const double kThresholds[] = {20, 5, 1};
  for (const auto& pick : testing::Pairwise(
           {std::size(kFloats), std::size(kShapes), std::size(kNumbers), std::size(kThresholds)})) {
    const TypedArray x = Spread(kShapes[pick[1]], kFloats[pick[0]], seed++);
    const double number = kNumbers[pick[2]], threshold = kThresholds[pick[3]];
    ExpectOp("nn.leakyrelu", {x}, {{"alpha", number}},
             {Each(x, [&](double v) { return v > 0 ? v : number * v; })}, 1);
    const auto softplus = [&](double v) {
      return v * number > threshold ? v : std::log1p(std::exp(v * number)) / number;
    };
    ExpectOp("nn.softplus", {x}, {{"beta", number}, {"threshold", threshold}}, {Each(x, softplus)},
             2);
  }
}

TEST(ActivationSweep, Prelu) {
  uint32_t seed = 1;
  for (const auto& pick :
       testing::Pairwise({std::size(kFloats), std::size(kShapes) - 1, 3, 2, 2})) {
    const Shape& shape = kShapes[1 + pick[1]];
    const int64_t rank = static_cast<int64_t>(shape.size());
    const int64_t axis = std::min<int64_t>(static_cast<int64_t>(pick[2]), rank - 1);
    const int64_t channels = shape[static_cast<size_t>(axis)];
    const TypedArray x = RandomArray(shape, kFloats[pick[0]], seed++);
    const TypedArray slope = RandomArray({pick[3] == 0 ? channels : 1}, kFloats[pick[0]], seed++);
    Array want(shape);
    ForEach(shape, [&](const Shape& at) {
      const int64_t c = pick[3] == 0 ? at[static_cast<size_t>(axis)] : 0;
      want[at] = x.array[at] > 0 ? x.array[at] : x.array[at] * slope.array[{c}];
    });
    ExpectOp("nn.prelu", {x, slope}, {{"axis", pick[4] == 0 ? axis : axis - rank}},
             {{want, x.dtype}}, 1);
  }
}

TEST(ActivationSweep, DropoutKeepsAll) {
  for (const char* dtype : kFloats) {
    for (const Shape& shape : kShapes) {
      const TypedArray x = RandomArray(shape, dtype, 7);
      ExpectOp("nn.dropout", {x}, {{"rate", 0.25}}, {x, {Array(shape, 1.0), dtype}});
    }
  }
}

TEST(ActivationSweep, BatchFlatten) {
  for (const char* dtype : kAll) {
    for (const Shape& shape : {Shape{2, 3}, Shape{3}, Shape{2, 1, 4}, Shape{0, 2, 3},
                               Shape{2, 0, 3}, Shape{1, 2, 2, 1, 3}}) {
      const TypedArray x = RandomArray(shape, dtype, 5);
      const int64_t rest = reference::SizeOf(Shape(shape.begin() + 1, shape.end()));
      ExpectOp("nn.batch_flatten", {x}, {}, {{Array({shape[0], rest}, x.array.data), dtype}});
    }
  }
}

TEST(ActivationSweep, PixelShuffle) {
  const Shape kImages[] = {{4, 2, 3}, {1, 16, 1, 2}, {2, 0, 3, 3}, {0, 4, 2, 2}, {2, 1, 4, 2, 0}};
  uint32_t seed = 1;
  for (const char* dtype : kAll) {
    for (const Shape& image : kImages) {
      for (int64_t r : {1, 2, 4}) {
        const size_t c = image.size() - 3;
        if (image[c] % (r * r) != 0) continue;
        const TypedArray x = RandomArray(image, dtype, seed++);
        Shape shape = image;
        shape[c] /= r * r;
        shape[c + 1] *= r;
        shape[c + 2] *= r;
        // Each element of the image goes to its place among r * r.
        Array want(shape);
        ForEach(image, [&](const Shape& at) {
          Shape to = at;
          const int64_t part = at[c] % (r * r);
          to[c] = at[c] / (r * r);
          to[c + 1] = at[c + 1] * r + part / r;
          to[c + 2] = at[c + 2] * r + part % r;
          want[to] = x.array[at];
        });
        ExpectOp("nn.pixel_shuffle", {x}, {{"upscale_factor", r}}, {{want, dtype}});
      }
    }
  }
}

// Where NumPy's pad takes the element from; nothing for the constant.
int64_t Source(const std::string& mode, int64_t index, int64_t length) {
  if (index >= 0 && index < length) return index;
  if (mode == "constant") return -1;
  if (mode == "replicate") return index < 0 ? 0 : length - 1;
  while (mode == "circular" && index < 0) index += length;
  while (mode == "circular" && index >= length) index -= length;
  if (mode == "circular" || length == 1) return mode == "circular" ? index : 0;
  // Repeated reflection at both ends.
  while (index < 0 || index >= length) index = index < 0 ? -index : 2 * (length - 1) - index;
  return index;
}

TEST(ActivationSweep, Pad) {
  const Shape kWidths[] = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                           {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                           {2, 0, 0, 3, 1, 0, 0, 1, 2, 2},
                           {0, 5, 4, 0, 0, 0, 3, 3, 0, 1}};
  const char* const kModes[] = {"constant", "reflect", "replicate", "circular"};
  const double kFills[] = {0, 2, -1.5};
  uint32_t seed = 1;
  for (const auto& pick : testing::Pairwise(
           {std::size(kAll), std::size(kShapes), std::size(kWidths), std::size(kModes), 3})) {
    const Shape& shape = kShapes[pick[1]];
    std::string mode = kModes[pick[3]];
    // There is nothing to repeat of no elements.
    if (reference::SizeOf(shape) == 0) mode = "constant";
    const Shape width(kWidths[pick[2]].begin(),
                      kWidths[pick[2]].begin() + 2 * static_cast<std::ptrdiff_t>(shape.size()));
    const TypedArray x = RandomArray(shape, kAll[pick[0]], seed++);
    double fill = kFills[pick[4]];
    if (x.dtype.find("float") == std::string::npos) fill = std::floor(std::fabs(fill));
    if (x.dtype == "bool") fill = fill > 0 ? 1 : 0;
    Shape grown = shape;
    for (size_t i = 0; i < shape.size(); ++i) grown[i] += width[2 * i] + width[2 * i + 1];
    Array want(grown);
    ForEach(grown, [&](const Shape& at) {
      Shape from;
      bool inside = true;
      for (size_t i = 0; i < at.size(); ++i) {
        from.push_back(Source(mode, at[i] - width[2 * i], shape[i]));
        inside = inside && from.back() >= 0;
      }
      want[at] = inside ? x.array[from] : fill;
    });
    ExpectOp("nn.pad", {x}, {{"pad_width", Ints(width)}, {"pad_mode", mode}, {"pad_value", fill}},
             {{want, x.dtype}});
  }
}

TEST(ActivationSweep, PadOfEmptyTensorRepeatsNothing) {
  testing::InferProbe p;
  const auto pad = [&](const char* mode, const Shape& width) {
    return p.Infer("nn.pad", {p.T("2, 0", "float32")},
                   {{"pad_width", Ints(width)}, {"pad_mode", mode}});
  };
  for (const char* mode : {"reflect", "replicate", "circular"}) {
    EXPECT_THAT(pad(mode, {0, 0, 1, 0}), HasSubstr("no elements along axis 1"));
    EXPECT_EQ(pad(mode, {1, 0, 0, 0}), "R.Tensor((3, 0), dtype=\"float32\")");
  }
  EXPECT_EQ(pad("constant", {0, 0, 1, 0}), "R.Tensor((2, 1), dtype=\"float32\")");
}

}  // namespace
}  // namespace lathe::ops
