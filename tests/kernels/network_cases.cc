#include "tests/kernels/network_cases.h"

#include "absl/strings/str_cat.h"
#include "tests/kernels/program_text.h"

namespace lathe::kernels {
namespace {

std::string Conv(const char* result, const char* of, const Dims& weights, const char* more = "") {
  return absl::StrCat(result, " = R.nn.conv2d(", of, ", ", Constant(weights), more, ")");
}

}  // namespace

void AddNetworkCases(std::vector<KernelCase>& cases) {
  const std::string image = Param("x", "(2, 3, 9, 11)");
  // Depthwise and pointwise by turns, with a bias for each channel and a global mean.
  cases.push_back(
      {"separable",
       Program(image, {Conv("a", "x", {10, 3, 3, 3}, ", strides=(2, 2), padding=(1, 1)"),
                       absl::StrCat("b = R.add(a, ", Constant({1, 10, 1, 1}), ")"),
                       "c = R.clip(b, 0.0, 6.0)",
                       Conv("d", "c", {10, 1, 3, 3}, ", padding=(1, 1), groups=10"),
                       "e = R.nn.relu(d)", Conv("f", "e", {21, 10, 1, 1}),
                       absl::StrCat("g = R.add(f, ", Constant({21, 1, 1}), ")"),
                       "h = R.mean(g, axis=[2, 3], keepdims=False)",
                       absl::StrCat("out = R.matmul(h, ", Constant({21, 5}), ")")}),
       {},
       "vectors"});
  // A branch, a residual sum, channels side by side, and the image itself once more at the end.
  cases.push_back(
      {"residual_blocks",
       Program(Param("x", "(1, 8, 6, 7)"),
               {Conv("a", "x", {8, 8, 3, 3}, ", padding=(1, 1)"), "b = R.nn.relu(a)",
                Conv("c", "b", {8, 8, 3, 3}, ", padding=(1, 1)"), "d = R.add(c, x)",
                "e = R.nn.relu(d)", Conv("f", "e", {5, 8, 1, 1}),
                Conv("g", "e", {12, 8, 3, 3}, ", padding=(1, 1)"), "h = R.concat((f, g), axis=1)",
                "p = R.nn.max_pool2d(h, pool_size=(3, 3), strides=(2, 2), padding=(1, 1))",
                "q = R.nn.avg_pool2d(p, pool_size=(2, 2), strides=(1, 1))",
                Conv("r", "q", {8, 17, 1, 1}), "out = (r, e)"}),
       {},
       "tiles "});
  // Scales for each channel that are computed, borders, windows as large as the image.
  cases.push_back(
      {"squeezed",
       Program(image,
               {Conv("a", "x", {16, 3, 3, 3}), "m = R.mean(a, axis=[-2, -1], keepdims=True)",
                Conv("n", "m", {16, 16, 1, 1}), "s = R.sigmoid(n)", "b = R.multiply(a, s)",
                "c = R.nn.pad(b, pad_width=[0, 0, 0, 0, 1, 2, 3, 0])",
                Conv("d", "c", {9, 16, 3, 3}, ", dilation=(2, 2)"),
                "e = R.image.resize2d(d, (9, 6), layout=\"NCHW\", method=\"nearest_neighbor\", "
                "coordinate_transformation_mode=\"asymmetric\", rounding_method=\"floor\")",
                Conv("f", "e", {9, 9, 1, 1}),
                "g = R.nn.avg_pool2d(f, pool_size=(9, 6), strides=(9, 6))",
                "out = R.reshape(g, R.shape([2, 9]))"}),
       {},
       "tiles "});
  cases.push_back({"any_images",
                   Program(Param("x", "(\"n\", 3, 8, 8)"),
                           {Conv("a", "x", {20, 3, 3, 3}, ", padding=(1, 1)"), "b = R.nn.relu(a)",
                            Conv("c", "b", {20, 1, 3, 3}, ", strides=(2, 2), groups=20"),
                            Conv("out", "c", {4, 20, 1, 1})}),
                   {{"n", 3}},
                   "tiles "});
}

}  // namespace lathe::kernels
