// Compares native convolutions and matrix products with their loop nests, bit for bit.
#include "generator/interp/eval_product.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/interp/interpreter.h"
#include "gtest/gtest.h"

namespace lathe {
namespace {

std::vector<uint8_t> ResultOf(const std::string& text, bool native) {
  const SourceFile file("m.py", text);
  ir::Context context;
  Diagnostics diags;
  auto module = driver::LoadModule(context, file, diags);
  EXPECT_TRUE(module) << text;
  interp::Options options;
  options.native_products = native;
  interp::Interpreter interpreter(context, *module, options);
  driver::RunOptions run;
  run.seed = 9;
  const ir::GlobalId main = *module->Find("main");
  auto args = driver::CollectInputs(interpreter, main, run);
  EXPECT_TRUE(args.ok());
  auto value = interpreter.Run(main, *args, diags);
  EXPECT_TRUE(value.ok()) << text;
  const interp::Tensor* tensor = value->AsTensor();
  EXPECT_NE(tensor, nullptr);
  return {tensor->data(), tensor->data() + tensor->bytes()};
}

void ExpectEqualBits(const std::string& x, const std::string& w, const std::string& call) {
  const std::string text = absl::StrCat(
      "from tvm.script import relax as R\n\n@R.function\ndef main(x: R.Tensor(", x,
      ", \"float32\"), w: R.Tensor(", w, ", \"float32\")):\n    y = ", call, "\n    return y\n");
  EXPECT_EQ(ResultOf(text, true), ResultOf(text, false)) << text;
}

TEST(EvalProductTest, ConvolutionsEqualTheirLoopNests) {
  ExpectEqualBits("(2, 3, 7, 6)", "(4, 3, 3, 2)", "R.nn.conv2d(x, w)");
  ExpectEqualBits("(1, 4, 7, 6)", "(6, 2, 3, 3)",
                  "R.nn.conv2d(x, w, strides=[2, 3], padding=[1, 2, 0, 1], groups=2)");
  ExpectEqualBits("(1, 4, 9, 8)", "(4, 1, 3, 3)",
                  "R.nn.conv2d(x, w, dilation=[2, 3], padding=[3, 3, 3, 3], groups=4)");
  ExpectEqualBits("(1, 5, 6, 3)", "(3, 3, 3, 2)",
                  "R.nn.conv2d(x, w, padding=[1, 1, 1, 1], data_layout=\"NHWC\", "
                  "kernel_layout=\"HWIO\")");
  ExpectEqualBits("(1, 5, 6, 3)", "(2, 3, 3, 3)",
                  "R.nn.conv2d(x, w, data_layout=\"NHWC\", kernel_layout=\"OHWI\", "
                  "out_layout=\"NCHW\")");
  ExpectEqualBits("(2, 3, 11)", "(4, 3, 5)", "R.nn.conv1d(x, w, strides=[2], padding=[4, 1])");
  // A window wider than the image.
  ExpectEqualBits("(1, 1, 2, 2)", "(1, 1, 5, 5)", "R.nn.conv2d(x, w, padding=[2, 2, 2, 2])");
}

TEST(EvalProductTest, MatrixProductsEqualTheirLoopNests) {
  ExpectEqualBits("(5, 7)", "(7, 3)", "R.matmul(x, w)");
  ExpectEqualBits("(2, 3, 5, 7)", "(7, 3)", "R.matmul(x, w)");
  ExpectEqualBits("(2, 3, 5, 7)", "(2, 3, 7, 4)", "R.matmul(x, w)");
  ExpectEqualBits("(2, 1, 5, 7)", "(2, 3, 7, 4)", "R.matmul(x, w)");
  ExpectEqualBits("(7,)", "(7, 4)", "R.matmul(x, w)");
  ExpectEqualBits("(0, 7)", "(7, 4)", "R.matmul(x, w)");
}

}  // namespace
}  // namespace lathe
