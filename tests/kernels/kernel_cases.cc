#include "tests/kernels/kernel_cases.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "tests/kernels/integer_cases.h"
#include "tests/kernels/network_cases.h"
#include "tests/kernels/program_text.h"
#include "tests/kernels/vector_cases.h"

namespace lathe::kernels {
namespace {

void AddMatmuls(std::vector<KernelCase>& cases) {
  struct Sizes {
    int64_t m, n, k;
  };
  const Sizes all[] = {{1, 8, 1},   {1, 16, 5},  {2, 17, 3},   {5, 31, 8},   {7, 33, 2},
                       {13, 48, 9}, {14, 64, 4}, {15, 65, 7},  {29, 100, 6}, {6, 128, 11},
                       {3, 10, 20}, {40, 40, 1}, {17, 130, 3}, {2, 70, 1100}};
  for (const Sizes& s : all) {
    const std::string name = absl::StrCat("matmul_", s.m, "_", s.n, "_", s.k);
    const std::string product = absl::StrCat("a = R.matmul(x, ", Constant({s.k, s.n}), ")");
    cases.push_back({name,
                     Program(Param("x", Shape({s.m, s.k})),
                             {product, absl::StrCat("b = R.add(a, ", Constant({s.n}), ")"),
                              "out = R.nn.relu(b)"}),
                     {},
                     s.k > 1 ? "tiles " : ""});
  }
  // Epilogues of a product: another tensor, functions of libm, another dtype, another order.
  const std::string x = Param("x", "(9, 12)"), w = Constant({12, 37});
  const std::string a = absl::StrCat("a = R.matmul(x, ", w, ")");
  cases.push_back({"residual",
                   Program(absl::StrCat(x, ", ", Param("r", "(9, 37)")),
                           {a, "b = R.add(a, r)", "out = R.minimum(b, R.const(1.0, \"float32\"))"}),
                   {},
                   "tiles "});
  cases.push_back(
      {"rows_scaled",
       Program(absl::StrCat(x, ", ", Param("s", "(9, 1)")),
               {a, "b = R.multiply(a, s)", "c = R.negative(b)", "out = R.clip(c, -2.0, 3.5)"}),
       {},
       "tiles "});
  cases.push_back({"cosine", Program(x, {a, "out = R.cos(a)"}), {}, "tiles "});
  cases.push_back({"half", Program(x, {a, "out = R.astype(a, \"float16\")"}), {}, "tiles "});
  cases.push_back({"turned", Program(x, {a, "out = R.permute_dims(a)"}), {}, "tiles "});
  cases.push_back(
      {"batch_of_rows",
       Program(Param("x", "(2, 3, 12)"), {a, absl::StrCat("out = R.add(a, ", Constant({37}), ")")}),
       {},
       "tiles "});
  for (int64_t rows : {0, 30}) {
    cases.push_back({absl::StrCat("any_rows_", rows),
                     Program(Param("x", "(\"n\", 12)"), {a, "out = R.nn.relu(a)"}),
                     {{"n", rows}},
                     "tiles "});
  }
}

void AddConvolutions(std::vector<KernelCase>& cases) {
  struct Sizes {
    int64_t height, width, in, out, kernel, stride, pad;
  };
  const Sizes all[] = {{5, 7, 3, 8, 3, 1, 1},   {6, 6, 4, 20, 1, 1, 0},   {9, 8, 2, 33, 3, 2, 1},
                       {7, 16, 5, 16, 3, 1, 0}, {11, 11, 3, 17, 7, 2, 3}, {4, 30, 1, 40, 3, 1, 1},
                       {8, 5, 6, 9, 1, 2, 0}};
  for (const Sizes& s : all) {
    for (const char* layout : {"NHWC", "NCHW"}) {
      const bool last = layout[3] == 'C';
      const Dims shape = last ? Dims{2, s.height, s.width, s.in} : Dims{2, s.in, s.height, s.width};
      const Dims bias = last ? Dims{s.out} : Dims{1, s.out, 1, 1};
      cases.push_back(
          {absl::StrCat("conv_", absl::AsciiStrToLower(layout), "_", s.height, "_", s.width, "_",
                        s.in, "_", s.out, "_", s.kernel, "_", s.stride, "_", s.pad),
           Program(
               Param("x", Shape(shape)),
               {absl::StrCat("a = R.nn.conv2d(x, ", Constant({s.out, s.in, s.kernel, s.kernel}),
                             ", strides=(", s.stride, ", ", s.stride, "), padding=(", s.pad, ", ",
                             s.pad, "), data_layout=\"", layout, "\", kernel_layout=\"OIHW\")"),
                absl::StrCat("b = R.add(a, ", Constant(bias), ")"), "out = R.nn.relu(b)"}),
           {},
           s.kernel > 1 ? "tiles " : ""});
    }
  }
}

// Windows whose padding differs by side, or is along one dimension only.
void AddPaddedWindows(std::vector<KernelCase>& cases) {
  struct Window {
    int64_t height, width, stride, dilation, top, left, bottom, right;
  };
  const Window windows[] = {{3, 1, 1, 1, 1, 0, 1, 0}, {1, 3, 1, 1, 0, 1, 0, 1},
                            {3, 3, 2, 1, 0, 0, 1, 1}, {3, 3, 1, 2, 2, 2, 2, 2},
                            {5, 3, 3, 1, 4, 0, 0, 2}, {2, 2, 1, 3, 0, 3, 3, 0},
                            {3, 3, 1, 1, 9, 1, 9, 1}};
  for (const Window& w : windows) {
    for (const char* layout : {"NHWC", "NCHW"}) {
      for (int64_t groups : {1, 6}) {
        const bool last = layout[3] == 'C';
        const int64_t each = groups == 1 ? 6 : 1;
        cases.push_back(
            {absl::StrCat("window_", absl::AsciiStrToLower(layout), "_", w.height, "_", w.width,
                          "_", w.stride, "_", w.dilation, "_", w.top, "_", w.left, "_", groups),
             Program(Param("x", last ? "(2, 8, 7, 6)" : "(2, 6, 8, 7)"),
                     {absl::StrCat("a = R.nn.conv2d(x, ", Constant({6, each, w.height, w.width}),
                                   ", strides=(", w.stride, ", ", w.stride, "), padding=(", w.top,
                                   ", ", w.left, ", ", w.bottom, ", ", w.right, "), dilation=(",
                                   w.dilation, ", ", w.dilation, "), groups=", groups,
                                   ", data_layout=\"", layout, "\", kernel_layout=\"OIHW\")"),
                      "out = R.nn.relu(a)"}),
             {},
             ""});
      }
    }
  }
}

// Sizes of none, and those that show when it runs, along what a form divides by.
void AddOpenSizes(std::vector<KernelCase>& cases) {
  const std::vector<std::string> product = {"a = R.matmul(x, y)", "out = R.nn.relu(a)"};
  const auto two = [](const char* x, const char* y) {
    return absl::StrCat(Param("x", x), ", ", Param("y", y));
  };
  cases.push_back({"no_rows", Program(two("(0, 4)", "(4, 40)"), product), {}, ""});
  cases.push_back({"no_columns", Program(two("(9, 4)", "(4, 0)"), product), {}, ""});
  cases.push_back({"no_depth", Program(two("(9, 0)", "(0, 40)"), product), {}, ""});
  cases.push_back({"no_batch", Program(two("(0, 9, 4)", "(0, 4, 40)"), product), {}, ""});
  // Lengths that are divisions are names in the kernel, which its tiles are given.
  for (int64_t n : {4, 5, 13}) {
    for (const char* layout : {"NCHW", "NHWC"}) {
      const bool last = layout[3] == 'C';
      cases.push_back({absl::StrCat("conv_of_any_width_", last ? "last_" : "", n),
                       Program(Param("x", last ? "(1, 9, \"n\", 3)" : "(1, 3, 9, \"n\")"),
                               {absl::StrCat("a = R.nn.conv2d(x, ", Constant({20, 3, 4, 4}),
                                             ", strides=(4, 4), data_layout=\"", layout,
                                             "\", kernel_layout=\"OIHW\")"),
                                "out = R.nn.relu(a)"}),
                       {{"n", n}},
                       last ? "tiles " : ""});
    }
  }
}

// Of two matrices that are known when it runs.
void AddProducts(std::vector<KernelCase>& cases) {
  const auto two = [](const char* x, const char* y) {
    return absl::StrCat(Param("x", x), ", ", Param("y", y));
  };
  const std::vector<std::string> product = {"a = R.matmul(x, y)", "out = R.nn.relu(a)"};
  cases.push_back({"product", Program(two("(9, 7)", "(7, 37)"), product), {}, "tiles "});
  cases.push_back({"deep", Program(two("(8, 1100)", "(1100, 20)"), product), {}, "tiles "});
  cases.push_back({"many", Program(two("(3, 10, 5)", "(3, 5, 18)"), product), {}, "tiles "});
  cases.push_back({"one_by_many", Program(two("(10, 5)", "(3, 5, 18)"), product), {}, "tiles "});
  cases.push_back({"any_rows_of_product",
                   Program(two("(\"n\", 6)", "(6, 33)"), product),
                   {{"n", 15}},
                   "tiles "});
  // Columns, and what is added up, that show when it runs.
  for (int64_t n : {1, 21, 75}) {
    cases.push_back({absl::StrCat("any_keys_", n),
                     Program(two("(2, \"n\", 6)", "(2, 6, \"n\")"),
                             {"a = R.matmul(x, y)", "p = R.nn.softmax(a, axis=-1)",
                              "q = R.matmul(p, x)", "out = (p, q)"}),
                     {{"n", n}},
                     "vectors"});
  }
  cases.push_back({"keys",
                   Program(two("(2, 3, 9, 8)", "(2, 3, 17, 8)"),
                           {"t = R.permute_dims(y, axes=[0, 1, 3, 2])", "a = R.matmul(x, t)",
                            "out = R.multiply(a, R.const(0.25, \"float32\"))"}),
                   {},
                   "tiles "});
}

}  // namespace

std::vector<KernelCase> KernelCases() {
  std::vector<KernelCase> cases;
  AddMatmuls(cases);
  AddConvolutions(cases);
  AddProducts(cases);
  AddPaddedWindows(cases);
  AddOpenSizes(cases);
  AddVectorCases(cases);
  AddNetworkCases(cases);
  AddIntegerCases(cases);
  return cases;
}

}  // namespace lathe::kernels
