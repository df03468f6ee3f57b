#include "generator/driver/bind_params_file.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "generator/interp/data/npz_format.h"
#include "generator/interp/data/scalar_math.h"
#include "generator/interp/data/tensor.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::driver {
namespace {

using ::testing::HasSubstr;

constexpr char kRelay[] = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2), float32], %w: Tensor[(3, 2), float32], %b: Tensor[(3), float32]) {
  nn.dense(reshape(%x, newshape=[1, 2]), %w, units=3) + %b
}
)";

constexpr char kRelax[] = R"(from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 2), "float32"), w: R.Tensor((2, "k"), "float32"), b: R.Tensor(("k",), "float32")):
        y = R.add(R.matmul(x, w), b)
        return y

    @R.function
    def twice(b: R.Tensor(("m",), "float32")):
        y = R.add(b, b)
        return y
)";

// A tensor whose elements are 1, 2, 3, ...
interp::TensorRef Counting(const char* dtype, std::vector<int64_t> shape) {
  const auto budget = std::make_shared<interp::MemoryBudget>();
  const auto t = *interp::NewTensor(*ir::ParseDType(dtype), std::move(shape), budget);
  for (uint64_t i = 0; i < t->num_elements(); ++i) {
    t->Set(i, interp::FromDouble(t->dtype, static_cast<double>(i + 1)));
  }
  return t;
}

class BindParamsFileTest : public ::testing::Test {
 protected:
  BindParamsFileTest() {
    EXPECT_TRUE(WriteFile("m.relay", kRelay).ok());
    EXPECT_TRUE(WriteFile("m.py", kRelax).ok());
    Write("x.npz", {{"x", Counting("float32", {2})}});
  }

  static void Write(const std::string& path,
                    const std::vector<std::pair<std::string, interp::TensorRef>>& arrays) {
    EXPECT_TRUE(WriteFile(path, *interp::WriteNpz(arrays)).ok());
  }

  const ScratchDirectory scratch_;
};

TEST_F(BindParamsFileTest, RelayParametersBecomeConstants) {
  Write("p.npz", {{"w", Counting("float32", {3, 2})}, {"b", Counting("float32", {3})}});
  EXPECT_EQ(RunLatheWords("run m.relay --params p.npz --input x.npz").out,
            "float32 (1, 3)\n[[6, 13, 20]]\n");
  const LatheRun inspected = RunLatheWords("inspect m.relay --params p.npz");
  EXPECT_THAT(inspected.out, HasSubstr("def main(x: R.Tensor((2,), dtype=\"float32\")):"));
  EXPECT_THAT(inspected.out, HasSubstr("R.const([1.0, 2.0, 3.0], \"float32\")"));
  EXPECT_EQ(RunLatheWords("check m.relay --params p.npz").exit, 0);
  EXPECT_THAT(RunLatheWords("analyze m.relay --params p.npz").out, HasSubstr("36 B of weights"));
  EXPECT_EQ(RunLatheWords("compile m.relay --params p.npz -MD -o out").exit, 0);
  EXPECT_THAT(*ReadFile("out/m.d"), HasSubstr("p.npz"));
  EXPECT_THAT(RunLatheWords("validate m.relay --params p.npz --cflags -O0").out, HasSubstr("PASS"));
}

TEST_F(BindParamsFileTest, RelaxParametersOfEachFunctionBecomeConstants) {
  Write("p.npz", {{"w", Counting("float32", {2, 4})}, {"b", Counting("float32", {4})}});
  EXPECT_EQ(RunLatheWords("run m.py --params p.npz --input x=x.npz").exit, 1);
  const LatheRun inspected = RunLatheWords("inspect m.py --params p.npz");
  EXPECT_EQ(inspected.exit, 0) << inspected.err;
  EXPECT_THAT(inspected.out, HasSubstr("def main(x: R.Tensor((1, 2), dtype=\"float32\")):"));
  EXPECT_THAT(inspected.out, HasSubstr("def twice():"));
}

TEST_F(BindParamsFileTest, NamesWhatDoesNotFit) {
  Write("name.npz", {{"bias", Counting("float32", {3})}});
  Write("shape.npz", {{"w", Counting("float32", {2, 3})}});
  Write("dtype.npz", {{"w", Counting("float64", {3, 2})}});
  Write("size.npz", {{"w", Counting("float32", {2, 4})}, {"b", Counting("float32", {3})}});
  EXPECT_TRUE(WriteFile("junk.npz", "junk").ok());
  const struct {
    const char *file, *params;
    int exit;
    const char* message;
  } kCases[] = {
      {"m.relay", "name.npz", 1,
       "'name.npz': no function has a parameter 'bias'; the parameters are x, w, b"},
      {"m.relay", "shape.npz", 1,
       "'shape.npz': the parameter 'w' is R.Tensor((3, 2), dtype=\"float32\"), but is bound to "
       "R.Tensor((2, 3), dtype=\"float32\")"},
      {"m.relay", "dtype.npz", 1,
       "'dtype.npz': the parameter 'w' is R.Tensor((3, 2), dtype=\"float32\"), but is bound to "
       "R.Tensor((3, 2), dtype=\"float64\")"},
      {"m.py", "size.npz", 1, "'size.npz': the parameter 'b' is R.Tensor((k,), dtype=\"float32\")"},
      {"m.relay", "missing.npz", 5, "cannot read 'missing.npz'"},
      {"m.relay", "junk.npz", 2, "'junk.npz': malformed zip archive"},
      {"m.relay", "m.py", 1, "option '--params' must be an .npz file; got 'm.py'"},
  };
  for (const auto& c : kCases) {
    for (const char* verb : {"check", "run", "inspect", "compile", "analyze", "validate"}) {
      const LatheRun run =
          RunLatheWords(std::string(verb) + " " + c.file + " --params " + c.params);
      EXPECT_EQ(run.exit, c.exit) << verb << " " << c.params << ": " << run.err;
      EXPECT_THAT(run.err, HasSubstr(c.message)) << verb;
    }
  }
  EXPECT_THAT(RunLatheWords("check m.py m.relay --params name.npz").err,
              HasSubstr("options '-D' and '--params' need exactly one program"));
}

}  // namespace
}  // namespace lathe::driver
