// Convolutions and their transposes over dtypes, shapes, layouts and attributes.
#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/reference/conv.h"
#include "tests/reference/layout.h"
#include "tests/support/expect_op.h"
#include "tests/support/pairwise.h"
#include "tests/unit/ops/last_axes.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::ConvNumbers;
using reference::InLayout;
using reference::Shape;
using testing::ExactArray;
using testing::ExpectOp;
using testing::Ints;
using testing::TypedArray;

struct ConvKinds {
  const char* from;
  const char* to;  // of the result and of the sums
};
const ConvKinds kConvKinds[] = {{"float32", ""},     {"float64", ""},        {"float16", ""},
                                {"bfloat16", ""},    {"float16", "float32"}, {"int8", "int32"},
                                {"int8", ""},        {"uint8", "int32"},     {"int32", ""},
                                {"int64", "float64"}};
struct Channels {
  int64_t batch, in, out, groups;
};
const Channels kChannels[] = {{1, 3, 4, 1}, {2, 4, 6, 2}, {1, 4, 4, 4}, {2, 2, 4, 2},
                              {1, 1, 1, 1}, {0, 2, 2, 1}, {1, 0, 2, 1}, {1, 2, 0, 1}};
// Of up to three axes, of which the last ones are taken.
const Shape kConvImages[] = {{4, 5, 6}, {3, 1, 4}, {2, 4, 1}, {3, 2, 0}};
const Shape kKernels[] = {{1, 1, 1}, {2, 3, 2}, {3, 2, 3}};
const Shape kConvStrides[] = {{1, 1, 1}, {2, 2, 2}, {2, 3, 1}};
const Shape kConvPaddings[] = {{0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}, {2, 0, 1, 0, 1, 3}};
const Shape kConvDilations[] = {{1, 1, 1}, {1, 2, 2}, {2, 1, 3}};
const Shape kOutputPaddings[] = {{0, 0, 0}, {1, 1, 1}, {1, 2, 0}};
// The first is the canonical one; the axes after the channels are DHW, the last ones of them.
struct ConvLayouts {
  const char *data, *kernel, *transposed_kernel, *out;
};
const ConvLayouts kConvLayouts[] = {{"NCDHW", "OIDHW", "IODHW", ""},
                                    {"NDHWC", "DHWIO", "DHWOI", ""},
                                    {"NCDHW", "OIDHW", "IODHW", "NDHWC"},
                                    {"NDHWC", "OIDHW2o", "IODHW", "NCDHW"},
                                    {"NCDHW2c", "OIDHW", "IODHW2i", "NCDHW2c"}};

// Of paddings the last of the first three and of the last three.
Shape LastPads(const Shape& six, size_t rank) {
  Shape out = Last({six[0], six[1], six[2]}, rank);
  for (int64_t after : Last({six[3], six[4], six[5]}, rank)) out.push_back(after);
  return out;
}
bool HasBlock(const std::string& layout) { return layout.find('2') != std::string::npos; }

// One number for all axes if they are equal, so that both spellings are tested.
ir::AttrValue Short(const Shape& values) {
  const bool same = std::all_of(values.begin(), values.end(),
                                [&](int64_t value) { return value == values.front(); });
  return same ? ir::AttrValue(values.front()) : ir::AttrValue(Ints(values));
}

void Sweep(const std::string& op, size_t rank, bool transposed) {
  uint32_t seed = 1;
  for (const auto& pick : testing::Pairwise(
           {std::size(kConvKinds), std::size(kChannels),
            std::size(kConvImages) - (transposed ? 1 : 0), std::size(kKernels),
            std::size(kConvStrides), std::size(kConvPaddings), std::size(kConvDilations),
            std::size(kConvLayouts), std::size(kOutputPaddings)})) {
    const ConvKinds& kinds = kConvKinds[pick[0]];
    const Channels& c = kChannels[pick[1]];
    ConvLayouts layouts = kConvLayouts[pick[7]];
    const bool blocks = c.in % 2 == 0 && c.out % 2 == 0;
    if (!blocks && (HasBlock(layouts.data) || HasBlock(layouts.kernel))) layouts = kConvLayouts[1];
    Shape image = Last(kConvImages[pick[2]], rank);
    Shape kernel = Last(kKernels[pick[3]], rank), strides = Last(kConvStrides[pick[4]], rank);
    // A transpose grows its image, the more the more axes there are.
    for (size_t i = 0; transposed && rank == 3 && i < rank; ++i) {
      image[i] = std::min<int64_t>(image[i], i == 2 ? 3 : 2);
      kernel[i] = std::min<int64_t>(kernel[i], 2);
      strides[i] = std::min<int64_t>(strides[i], 2);
    }
    ConvNumbers n = {strides, Last(kConvDilations[pick[6]], rank),
                     LastPads(kConvPaddings[pick[5]], rank), Last(kOutputPaddings[pick[8]], rank),
                     c.groups};
    for (size_t i = 0; i < rank; ++i) {
      n.output_padding[i] = std::min(n.output_padding[i], n.strides[i] - 1);
      // No window larger than the image, no transpose padded away altogether.
      int64_t& before = n.padding[i];
      int64_t& after = n.padding[rank + i];
      if (transposed && (image[i] - 1) * n.strides[i] < before + after) before = after = 0;
      if (image[i] + before + after < (kernel[i] - 1) * n.dilation[i] + 1) {
        if (!transposed) kernel[i] = 1;
        if (!transposed && image[i] + before + after == 0) before = 1;
      }
    }
    Shape x_shape = {c.batch, c.in};
    Shape w_shape = {transposed ? c.in : c.out, (transposed ? c.out : c.in) / c.groups};
    x_shape.insert(x_shape.end(), image.begin(), image.end());
    w_shape.insert(w_shape.end(), kernel.begin(), kernel.end());
    const TypedArray x = ExactArray(x_shape, kinds.from, seed++);
    const TypedArray w = ExactArray(w_shape, kinds.from, seed++);
    const Array exact = transposed ? ConvTranspose(x.array, w.array, n) : Conv(x.array, w.array, n);

    const std::string axes = LayoutOf("NCDHW", rank);
    const std::string kernel_axes = LayoutOf(transposed ? "IODHW" : "OIDHW", rank);
    const std::string in = LayoutOf(layouts.data, rank);
    const std::string taps =
        LayoutOf(transposed ? layouts.transposed_kernel : layouts.kernel, rank);
    const std::string out = *layouts.out == '\0' ? in : LayoutOf(layouts.out, rank);
    ir::AttrMap attrs = {{"strides", Short(n.strides)},
                         {"padding", Short(n.padding)},
                         {"dilation", Short(n.dilation)},
                         {"groups", n.groups}};
    if (transposed) attrs["output_padding"] = Short(n.output_padding);
    if (in != axes) attrs["data_layout"] = in;
    if (taps != kernel_axes) attrs["kernel_layout"] = taps;
    if (*layouts.out != '\0') attrs["out_layout"] = out;
    const std::string dtype = *kinds.to == '\0' ? kinds.from : kinds.to;
    if (*kinds.to != '\0') attrs["out_dtype"] = *ir::ParseDType(dtype);
    ExpectOp(op,
             {TypedArray{InLayout(x.array, axes, in), x.dtype},
              TypedArray{InLayout(w.array, kernel_axes, taps), w.dtype}},
             attrs, {TypedArray{InLayout(exact, axes, out), dtype}});
  }
}

TEST(ConvSweep, Conv1d) { Sweep("nn.conv1d", 1, false); }
TEST(ConvSweep, Conv2d) { Sweep("nn.conv2d", 2, false); }
TEST(ConvSweep, Conv3d) { Sweep("nn.conv3d", 3, false); }
TEST(ConvSweep, Conv1dTranspose) { Sweep("nn.conv1d_transpose", 1, true); }
TEST(ConvSweep, Conv2dTranspose) { Sweep("nn.conv2d_transpose", 2, true); }
TEST(ConvSweep, Conv3dTranspose) { Sweep("nn.conv3d_transpose", 3, true); }

}  // namespace
}  // namespace lathe::ops
