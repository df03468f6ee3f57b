// Each reduction, applied to a program at one place.
#include "generator/transform/reduce/reductions.h"

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/analysis/derive/derive_struct_info.h"
#include "generator/ir/print/print_tvmscript.h"
#include "gtest/gtest.h"
#include "tests/support/read_text.h"

namespace lathe::transform {
namespace {

struct ReductionCase {
  const char* reduction;
  int place;
  const char* before;  // functions of a module
  const char* after;   // empty: the reduction does not apply
};

constexpr char kNoPlace[] = "no such place";

constexpr ReductionCase kCases[] = {
    {"drop-function", 0,
     R"(
    @R.function
    def other(x: R.Tensor((2,), "float32")):
        return x
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x)"},
    {"drop-function", 0,
     R"(
    @R.function(private=True)
    def other(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return x
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = Module.other(x)
        return y)",
     ""},
    {"one-field", 0,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
        return (x, y))",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
        return y)"},
    {"one-field", 2,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return (x, x))",
     kNoPlace},
    {"drop-field", 1,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
        return (x, y, x))",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
        return (x, x))"},
    {"then-branch", 1,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")):
        if c:
            a = R.exp(x)
            r = a
        else:
            b = R.sin(x)
            r = b
        y = R.cos(r)
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")):
        a = R.exp(x)
        r = a
        y = R.cos(r)
        return y)"},
    {"else-branch", 1,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")):
        if c:
            a = R.exp(x)
            r = a
        else:
            b = R.sin(x)
            r = b
        y = R.cos(r)
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")):
        b = R.sin(x)
        r = b
        y = R.cos(r)
        return y)"},
    {"open-function", 0,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        @R.function
        def inner(a: R.Tensor((3,), "float32")):
            b = R.exp(a)
            return b
        return x)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), a: R.Tensor((3,), "float32")):
        b = R.exp(a)
        inner = b
        return x)"},
    {"drop-binding", 0,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.exp(x)
        z = R.sin(x)
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.exp(x)
        return y)"},
    {"value-to-parameter", 1,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.exp(x)
        z = R.sin(y)
        return z)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
        z = R.sin(y)
        return z)"},
    {"zero-value", 0,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.exp(x)
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.const([0.0, 0.0], "float32")
        return y)"},
    {"zero-value", 0,
     R"(
    @R.function
    def main(x: R.Tensor(("n",), "float32")):
        y = R.exp(x)
        return y)",
     ""},
    {"use-operand", 1,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), z: R.Tensor((2,), "float32")):
        y = R.add(x, z)
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), z: R.Tensor((2,), "float32")):
        y = z
        return y)"},
    {"use-operand", 1,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), z: R.Tensor((3,), "float32")):
        y = (x, z)
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), z: R.Tensor((3,), "float32")):
        y = z
        return y)"},
    {"inline-alias", 1,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = x
        z = R.exp(y)
        return z)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        z = R.exp(x)
        return z)"},
    {"drop-parameter", 0,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
        return y)",
     R"(
    @R.function
    def main(y: R.Tensor((2,), "float32")):
        return y)"},
    {"drop-parameter", 1,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")):
        return y)",
     ""},
    {"merge-parameters", 2,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32"), z: R.Tensor((2,), "float32")):
        s = R.add(x, z)
        return (s, y))",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((3,), "float32")):
        s = R.add(x, x)
        return (s, y))"},
    {"merge-parameters", 1,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "int32")):
        return (x, y))",
     ""},
    {"drop-attribute", 0,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        R.func_attr({"a": 1, "b": 2})
        return x)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        R.func_attr({"b": 2})
        return x)"},
    {"uniform-constant", 0,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.add(x, R.const([2.0, 3.0], "float32"))
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.add(x, R.const([2.0, 2.0], "float32"))
        return y)"},
    {"uniform-constant", 0,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.add(x, R.const([2.0, 2.0], "float32"))
        return y)",
     ""},
    // Elements under a byte are packed, here two in a byte and the last one alone.
    {"uniform-constant", 0,
     R"(
    @R.function
    def main(x: R.Tensor((3,), "int4")):
        y = R.add(x, R.const([-3, 2, 7], "int4"))
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((3,), "int4")):
        y = R.add(x, R.const([-3, -3, -3], "int4"))
        return y)"},
    {"reduce-size", 0,
     R"(
    @R.function
    def main(x: R.Tensor((3,), "int4")) -> R.Tensor((3,), "int4"):
        y = R.add(x, R.const([-3, 2, 7], "int4"))
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((1,), "int4")):
        y = R.add(x, R.const([-3], "int4"))
        return y)"},
    // The places are 6 to 1, to 1 with its multiples, to 2, ...
    {"reduce-size", 0,
     R"(
    @R.function
    def main(x: R.Tensor((6, 1), "float32")) -> R.Tensor((6, 1), "float32"):
        y = R.add(x, R.const([[1], [2], [3], [4], [5], [6]], "float32"))
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((1, 1), "float32")):
        y = R.add(x, R.const([[1]], "float32"))
        return y)"},
    {"reduce-size", 13,
     R"(
    @R.function
    def main(x: R.Tensor((2, 3), "int8")):
        y = R.reshape(x, R.shape([6]))
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((1, 3), "int8")):
        y = R.reshape(x, R.shape([3]))
        return y)"},
    {"reduce-size", 0,
     R"(
    @T.prim_func
    def twice(x: T.Buffer((6, 2), "float32"), y: T.Buffer((6, 2), "float32")):
        t = T.alloc_buffer((6,), "float32")
        for i in range(6):
            t[i] = x[i, 0] + T.float32(6)
        for i, j in T.grid(6, 2):
            with T.block("y"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = t[vi]
    @R.function
    def main(x: R.Tensor((6, 2), "float32")):
        y = R.call_tir(Module.twice, (x,), out_sinfo=R.Tensor((6, 2), "float32"))
        return y)",
     R"(
    @T.prim_func
    def twice(x: T.Buffer((1, 2), "float32"), y: T.Buffer((1, 2), "float32")):
        t = T.alloc_buffer((1,), "float32")
        for i in range(1):
            t[i] = x[i, 0] + T.float32(6)
        for i, j in T.grid(1, 2):
            with T.block("y"):
                vi, vj = T.axis.remap("SS", [i, j])
                y[vi, vj] = t[vi]
    @R.function
    def main(x: R.Tensor((1, 2), "float32")):
        y = R.call_tir(Module.twice, (x,), out_sinfo=R.Tensor((1, 2), "float32"))
        return y)"},
    {"reduce-size", 0,
     R"(
    @R.function
    def main(x: R.Tensor((1, "n"), "float32")):
        return x)",
     kNoPlace},
    {"reduce-axis", 3,
     R"(
    @R.function
    def main(x: R.Tensor((4, 4), "float32")) -> R.Tensor((4, 4), "float32"):
        y: R.Tensor((4, 4), "float32") = R.exp(x)
        return y)",
     R"(
    @R.function
    def main(x: R.Tensor((4, 2), "float32")):
        y = R.exp(x)
        return y)"},
    {"reduce-axis", 1,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x)",
     ""},
    {"reduce-axis", 2,
     R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        return x)",
     kNoPlace},
};

std::string ModuleOf(absl::string_view functions) {
  return absl::StrCat(
      "from tvm.script import ir as I, relax as R, tir as T\n\n\n@I.ir_module\nclass Module:",
      functions, "\n");
}

// Returns a difference of the reduced program from the expected one.
std::string DifferenceIn(const ReductionCase& c, const Reduction& reduction) {
  auto program = lathe::testing::ReadText(ModuleOf(c.before));
  if (!program.module) return program.problems;
  Diagnostics diags;
  analysis::DeriveStructInfo(*program.context, *program.module, diags);
  const Reduced done = reduction.apply(*program.context, *program.module, c.place);
  const std::string after = c.after;
  if (after == kNoPlace) return done == Reduced::kNoSuchPlace ? "" : "there is such a place";
  if (after.empty()) return done == Reduced::kUnchanged ? "" : "the program changed";
  if (done != Reduced::kChanged) return "the program did not change";
  const std::string text = ir::PrintTvmScript(*program.module, {});
  const std::string difference = lathe::testing::DifferenceOf(text, ModuleOf(after));
  return difference.empty() ? "" : absl::StrCat(difference, "\n", text);
}

TEST(ReductionsTest, EachChangesOnePlace) {
  std::set<absl::string_view> tested;
  for (const ReductionCase& c : kCases) {
    for (const Reduction& reduction : Reductions()) {
      if (reduction.name != c.reduction) continue;
      tested.insert(reduction.name);
      EXPECT_EQ(DifferenceIn(c, reduction), "") << c.reduction << " at " << c.place;
    }
  }
  EXPECT_EQ(tested.size(), Reductions().size());
}

}  // namespace
}  // namespace lathe::transform
