#include "tests/kernels/integer_cases.h"

#include "absl/strings/str_cat.h"
#include "tests/kernels/program_text.h"

namespace lathe::kernels {
namespace {

// From -127 to 127.
std::string Integers(const Dims& shape, size_t axis, int& next) {
  if (axis == shape.size()) {
    next = (next * 29 + 17) % 251;
    return absl::StrCat(next * 254 / 250 - 127);
  }
  std::string text = "[";
  for (int64_t i = 0; i < shape[axis]; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", Integers(shape, axis + 1, next));
  }
  return text + "]";
}

std::string Weights(const Dims& shape) {
  int next = 5;
  return absl::StrCat("w = R.dequantize(R.const(", Integers(shape, 0, next),
                      ", \"int8\"), R.const(0.011, \"float32\"), R.const(0, \"int8\"))");
}

// What `line` computes of `xr` and `w`, between int8 and int8, or, where the result
// is `real`, float32.
std::string Quantised(const Dims& x, const Dims& weights, const std::string& line,
                      bool real = false) {
  std::vector<std::string> lines = {
      "q = R.quantize(x, R.const(0.009, \"float32\"), R.const(-5, \"int8\"), out_dtype=\"int8\")",
      "xr = R.dequantize(q, R.const(0.009, \"float32\"), R.const(-5, \"int8\"))", Weights(weights),
      line};
  lines.push_back(real ? "out = R.nn.relu(y)" : "a = R.nn.relu(y)");
  if (!real) {
    lines.push_back(
        "out = R.quantize(a, R.const(0.07, \"float32\"), R.const(-128, \"int8\"), "
        "out_dtype=\"int8\")");
  }
  return Program(Param("x", Shape(x)), lines);
}

constexpr char kRows[] = "lathe_products_i8(", kPanels[] = "lathe_dot_panels_i8(";

}  // namespace

void AddIntegerCases(std::vector<KernelCase>& cases) {
  struct Product {
    int64_t rows, columns, depth;
    bool real = false;
  };
  const Product products[] = {{1, 8, 1},   {1, 130, 33}, {2, 16, 7}, {5, 65, 128},     {9, 40, 31},
                              {7, 129, 2}, {6, 24, 300}, {6, 5, 40}, {5, 65, 31, true}};
  for (const Product& p : products) {
    const char* const calls = p.columns < 8 ? "" : p.real ? kPanels : kRows;
    cases.push_back(
        {absl::StrCat("int8_matmul_", p.rows, "_", p.columns, "_", p.depth, p.real ? "_real" : ""),
         Quantised({p.rows, p.depth}, {p.depth, p.columns}, "y = R.matmul(xr, w)", p.real),
         {},
         "",
         calls});
  }
  struct Window {
    int64_t in, out, kernel, stride, pad, dilation;
    bool real = false;
  };
  const Window windows[] = {{3, 8, 3, 2, 1, 1},  {5, 20, 1, 1, 0, 1},      {4, 33, 3, 1, 1, 2},
                            {1, 64, 5, 1, 2, 1}, {7, 16, 1, 2, 0, 1},      {16, 70, 2, 1, 0, 1},
                            {9, 24, 3, 1, 0, 1}, {4, 33, 3, 1, 1, 1, true}};
  for (const Window& w : windows) {
    cases.push_back({absl::StrCat("int8_conv_", w.in, "_", w.out, "_", w.kernel, "_", w.stride,
                                  w.real ? "_real" : ""),
                     Quantised({2, w.in, 7, 6}, {w.out, w.in, w.kernel, w.kernel},
                               absl::StrCat("y = R.nn.conv2d(xr, w, strides=(", w.stride, ", ",
                                            w.stride, "), padding=(", w.pad, ", ", w.pad,
                                            "), dilation=(", w.dilation, ", ", w.dilation, "))"),
                               w.real),
                     {},
                     "",
                     w.real || w.dilation > 1 ? kPanels : kRows});
  }
  struct Depthwise {
    int64_t channels, stride;
  };
  for (const Depthwise& d : {Depthwise{3, 2}, Depthwise{4, 1}, Depthwise{40, 1}}) {
    cases.push_back(
        {absl::StrCat("int8_depthwise_", d.channels),
         Quantised({2, d.channels, 7, 6}, {d.channels, 1, 3, 3},
                   absl::StrCat("y = R.nn.conv2d(xr, w, strides=(", d.stride, ", ", d.stride,
                                "), padding=(1, 1), groups=", d.channels, ")")),
         {},
         "",
         ""});
  }
}

}  // namespace lathe::kernels
