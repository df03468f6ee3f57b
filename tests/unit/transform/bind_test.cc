#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/driver/pipeline.h"
#include "generator/interp/data/scalar.h"
#include "generator/interp/data/tensor.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/ir/verify_graph.h"
#include "generator/transform/bind_params.h"
#include "generator/transform/bind_symbolic_vars.h"
#include "generator/transform/rederive_info.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"
#include "tests/support/read_text.h"

namespace lathe::transform {
namespace {

using ir::DType;
using ::testing::HasSubstr;

constexpr char kLayer[] = R"(
from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", "k"), "float32"), w: R.Tensor(("k", "m"), "float32")) -> R.Tensor(("n", "m"), "float32"):
        n, m, k = T.int64(), T.int64(), T.int64()
        y = R.matmul(x, w)
        z = R.reshape(y, R.shape([n, m]))
        return z

    @R.function
    def other(x: R.Tensor(("n",), "float32")) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        y = R.exp(x)
        return y

    @R.function
    def caller(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        y = Module.other(x)
        return y
)";

class BindTest : public ::testing::Test {
 protected:
  BindTest() : file_("test.py", kLayer) {
    auto loaded = driver::LoadModule(context, file_, diags_);
    EXPECT_TRUE(loaded.has_value());
    if (loaded) module = *std::move(loaded);
  }

  // Empty when `main` now reads as `function` does.
  std::string Difference(const std::string& function) {
    Diagnostics found;
    ir::VerifyGraph(module, "binding");
    RederiveInfo(context, module, found);
    for (const Diagnostic& d : found.all()) return Render(d);
    std::string text = ir::PrintTvmScript(module, {});
    std::string want = kLayer;
    const size_t begin = want.find("    @R.function"),
                 end = want.find("    @R.function\n    def other");
    want.replace(begin, end - begin, function);
    return testing::DifferenceOf(text, want);
  }

  static ir::Constant Matrix(std::vector<int64_t> shape, DType dtype = DType::Float(32)) {
    int64_t count = 1;
    for (int64_t dim : shape) count *= dim;
    auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(dtype, count));
    for (int64_t i = 0; i < count; ++i) {
      interp::WriteElement(bytes->data(), dtype, i, interp::FromDouble(dtype, 1));
    }
    return {dtype, std::move(shape), bytes};
  }

  ir::Context context;
  ir::Module module;

 private:
  SourceFile file_;
  Diagnostics diags_;
};

TEST_F(BindTest, AParameterBecomesAConstantAndItsSizesNumbers) {
  ASSERT_THAT(BindParams(context, module, "main", {{"w", Matrix({2, 1})}}), IsOk());
  EXPECT_EQ(Difference(R"(    @R.function
    def main(x: R.Tensor(("n", 2), "float32")) -> R.Tensor(("n", 1), "float32"):
        n = T.int64()
        y = R.matmul(x, R.const([[1.0], [1.0]], "float32"))
        z = R.reshape(y, R.shape([n, 1]))
        return z

)"),
            "");
}

TEST_F(BindTest, SizesOfSeveralConstantsMustAgree) {
  const absl::Status status =
      BindParams(context, module, "main", {{"x", Matrix({1, 3})}, {"w", Matrix({2, 1})}});
  EXPECT_THAT(status.message(), HasSubstr("the parameter 'w' is R.Tensor((k, m)"));
  EXPECT_THAT(
      BindParams(context, module, "main", {{"w", Matrix({2, 1}, DType::Float(16))}}).message(),
      HasSubstr("but is bound to R.Tensor((2, 1), dtype=\"float16\")"));
  EXPECT_THAT(BindParams(context, module, "main", {{"w", Matrix({2})}}).message(),
              HasSubstr("but is bound to R.Tensor((2,)"));
}

TEST_F(BindTest, BindsOnlyParametersOfUncalledFunctions) {
  EXPECT_THAT(BindParams(context, module, "main", {{"v", Matrix({2, 1})}}).message(),
              HasSubstr("'main' has no parameter 'v'"));
  EXPECT_THAT(BindParams(context, module, "mian", {}).message(),
              HasSubstr("the module has no Relax function 'mian'"));
  EXPECT_THAT(BindParams(context, module, "other", {{"x", Matrix({2})}}).message(),
              HasSubstr("'caller' refers to 'other'"));
}

TEST_F(BindTest, ShapeVariablesBecomeNumbers) {
  ASSERT_THAT(BindSymbolicVars(context, module, "main", {{"n", 4}, {"m", 3}}), IsOk());
  EXPECT_EQ(Difference(R"(    @R.function
    def main(x: R.Tensor((4, "k"), "float32"), w: R.Tensor(("k", 3), "float32")) -> R.Tensor((4, 3), "float32"):
        k = T.int64()
        y = R.matmul(x, w)
        z = R.reshape(y, R.shape([4, 3]))
        return z

)"),
            "");
}

TEST_F(BindTest, OnlyShapeVariablesOfSignatures) {
  EXPECT_THAT(BindSymbolicVars(context, module, "main", {{"q", 4}}).message(),
              HasSubstr("no signature has a shape variable 'q'"));
  EXPECT_THAT(BindSymbolicVars(context, module, "main", {{"n", -1}}).message(),
              HasSubstr("'n' cannot be -1"));
  EXPECT_THAT(BindSymbolicVars(context, module, "f", {{"n", 1}}).message(),
              HasSubstr("the module has no Relax function 'f'"));
  EXPECT_THAT(BindSymbolicVars(context, module, "", {{"n", 2}}), IsOk());
}

}  // namespace
}  // namespace lathe::transform
