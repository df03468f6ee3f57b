#include "tests/kernels/vector_cases.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/kernels/program_text.h"

namespace lathe::kernels {
namespace {

// Over what they are small for, large for, and beyond.
void AddFunctions(std::vector<KernelCase>& cases) {
  const char* const functions[] = {"exp",     "tanh",    "erf",     "sigmoid",  "sqrt", "abs",
                                   "nn.gelu", "nn.silu", "nn.relu", "negative", "rsqrt"};
  for (const char* function : functions) {
    const std::string call = absl::StrCat("R.", function);
    std::string name = absl::StrCat("of_", function);
    for (char& c : name) c = c == '.' ? '_' : c;
    // Square roots are of what is not negative.
    const bool root = name == "of_sqrt" || name == "of_rsqrt";
    std::vector<std::string> lines;
    std::vector<std::string> results;
    for (int scale : {1, 25, 400}) {
      const std::string by = absl::StrCat("R.const(", scale, ".0, \"float32\")");
      lines.push_back(absl::StrCat("a", scale, " = R.multiply(x, ", by, ")"));
      lines.push_back(root ? absl::StrCat("b", scale, " = R.add(R.abs(a", scale,
                                          "), R.const(0.5, \"float32\"))")
                           : absl::StrCat("b", scale, " = a", scale));
      lines.push_back(absl::StrCat("c", scale, " = ", call, "(b", scale, ")"));
      results.push_back(absl::StrCat("c", scale));
    }
    lines.push_back(absl::StrCat("out = (", absl::StrJoin(results, ", "), ")"));
    cases.push_back({name, Program(Param("x", "(3, 37)"), lines), {}, "vectors"});
  }
}

void AddRows(std::vector<KernelCase>& cases) {
  for (int64_t columns : {16, 21, 100, 144}) {
    const std::string scale = Constant({columns});
    cases.push_back(
        {absl::StrCat("rows_of_", columns),
         Program(Param("x", Shape({5, columns})),
                 {"a = R.nn.softmax(x, axis=-1)", "b = R.nn.log_softmax(x, axis=-1)",
                  absl::StrCat("c = R.nn.layer_norm(x, ", scale, ", ", scale, ", axes=[-1])"),
                  absl::StrCat("d = R.nn.rms_norm(x, ", scale, ", axes=[-1])"),
                  "e = R.max(x, axis=[-1])", "f = R.prod(x, axis=[-1])", "g = R.mean(x, axis=[0])",
                  "out = (a, b, c, d, e, f, g)"}),
         {},
         "vectors"});
  }
  for (int64_t n : {0, 50}) {
    cases.push_back({absl::StrCat("any_columns_", n),
                     Program(Param("x", "(4, \"n\")"), {"out = R.tanh(x)"}),
                     {{"n", n}},
                     "vectors"});
  }
}

void AddDepthwise(std::vector<KernelCase>& cases) {
  for (const char* layout : {"NHWC", "NCHW"}) {
    for (int stride : {1, 2}) {
      const bool last = layout[3] == 'C';
      cases.push_back(
          {absl::StrCat("depthwise_", last ? "last_" : "first_", stride),
           Program(Param("x", last ? "(1, 6, 19, 20)" : "(1, 20, 6, 19)"),
                   {absl::StrCat("a = R.nn.conv2d(x, ", Constant({20, 1, 3, 3}), ", strides=(",
                                 stride, ", ", stride, "), padding=(1, 1), groups=20, ",
                                 "data_layout=\"", layout, "\", kernel_layout=\"OIHW\")"),
                    "out = R.nn.relu(a)"}),
           {},
           last || stride == 1 ? "vectors" : ""});
    }
  }
  // Less than a vector of channels, and not a multiple of one.
  for (int64_t channels : {2, 5, 10, 70, 150}) {
    cases.push_back({absl::StrCat("depthwise_of_", channels),
                     Program(Param("x", Shape({1, 5, 4, channels})),
                             {absl::StrCat("out = R.nn.conv2d(x, ", Constant({channels, 1, 3, 3}),
                                           ", padding=(1, 1), groups=", channels,
                                           ", data_layout=\"NHWC\", kernel_layout=\"OIHW\")")}),
                     {},
                     channels >= 10 ? "vectors" : ""});
  }
  cases.push_back({"groups",
                   Program(Param("x", "(1, 6, 7, 18)"),
                           {absl::StrCat("out = R.nn.conv2d(x, ", Constant({8, 3, 3, 3}),
                                         ", padding=(1, 1), groups=2)")}),
                   {},
                   ""});
  for (const char* kind : {"max", "avg"}) {
    for (const char* more : {"", ", padding=(1, 1)", ", padding=(1, 1), ceil_mode=True"}) {
      cases.push_back(
          {absl::StrCat(kind, "_pool_", std::string(more).size()),
           Program(Param("x", "(1, 6, 7, 20)"),
                   {absl::StrCat("out = R.nn.", kind, "_pool2d(x, pool_size=(3, 3), strides=(2, 2)",
                                 more, ", layout=\"NHWC\")")}),
           {},
           std::string(more).size() < 20 ? "vectors" : ""});
    }
  }
  // A bounds check of elements for dynamic sizes.
  cases.push_back({"guarded_any_channels",
                   Program(Param("x", "(1, \"n\", 5, 2)"),
                           {"y = R.nn.avg_pool2d(x, pool_size=(1, 2), strides=(1, 1))",
                            "out = R.grad.avg_pool2d_backward(y, x, pool_size=(1, 2), "
                            "strides=(1, 1), padding=(0, 0))"}),
                   {{"n", 3}},
                   ""});
  cases.push_back({"pool",
                   Program(Param("x", "(1, 6, 18, 20)"),
                           {"out = R.nn.max_pool2d(x, pool_size=(2, 2), padding=(1, 1))"}),
                   {},
                   ""});
}

}  // namespace

void AddVectorCases(std::vector<KernelCase>& cases) {
  AddFunctions(cases);
  AddRows(cases);
  AddDepthwise(cases);
}

}  // namespace lathe::kernels
