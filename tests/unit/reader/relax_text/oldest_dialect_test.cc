// Evaluates programs in the first dialect; some call external functions.
#include "generator/reader/relax_text/elaboration/oldest_dialect.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/outside_functions.h"
#include "tests/support/run_program.h"

namespace lathe::interp {
namespace {

using ::testing::HasSubstr;

constexpr char kImports[] = "import tvm.script\nfrom tvm.script import relax as R, tir as T\n";

TEST(OldestDialect, PrimFuncDataflowBlockAndMutation) {
  Program p(std::string(kImports) + R"(
@tvm.script.ir_module
class Net:
    @T.prim_func
    def negate(a: T.handle, b: T.handle):
        s = T.var("int64")
        A = T.match_buffer(a, (s,), "float32")
        B = T.match_buffer(b, (s,), "float32")
        for i in T.serial(s):
            B[i] = -A[i]

    @R.function
    def main(x: R.Tensor[(h, w), "float32"], y: R.Tensor[_, "float32"]):
        with R.dataflow():
            y2 = R.match_shape(y, (w, c))
            p: R.Tensor[(h, c), "float32"] = R.dot(x, y2)
            flat: R.Tensor[(h * c,), "float32"] = R.flatten(p)
            size: R.Shape = (h * c,)
            out = R.call_tir(negate, [flat], size, dtype="float32")
            R.outputs(out)
        R.call_packed("outside.double", out)
        return out

Net.show()
)");
  AddOutside(p.interpreter(), "outside.double", Outside::kDouble);
  EXPECT_EQ(p.Errors(), "");
  const Value x = p.Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(p.Run({x, p.Floats({3, 1}, {1, 0, 1})}), "[-8, -20]");
  EXPECT_THAT(p.Run({x, p.Floats({2, 3}, {})}), HasSubstr("dimension 0 is 2, not w, which is 3"));
}

TEST(OldestDialect, CallsOutByEachConvention) {
  Program p(std::string(kImports) + R"(
@outside.register("outside.add")
def add(a, b):
    return a + b

@tvm.script.ir_module
class Net:
    @T.prim_func
    def product(a: T.handle, b: T.handle, c: T.handle) -> None:
        m = T.var("int32")
        n = T.var("int32")
        k = T.var("int32")
        A = T.match_buffer(a, (m, k))
        B = T.match_buffer(b, (n, k))
        C = T.match_buffer(c, (m, n))
        for (i0, j0, k0) in T.grid(m, n, k):
            with T.block():
                i, j, l = T.axis.remap("SSR", [i0, j0, k0])
                with T.init():
                    C[i, j] = 0.0
                C[i, j] += A[i, l] * B[j, l]

    @R.function
    def main(x: R.Tensor[(m, k), "float32"], y: R.Tensor[(n, k), "float32"]):
        with R.dataflow():
            a = R.call_tir(product, (x, y), (m, n), dtype="float32")
            R.outputs(a)
        R.call_packed("outside.look", a)
        b = R.call_packed("outside.add", a, a)
        c = R.call_dps_packed("outside.repeat", (b), (m, n * 2), dtype="float32")
        return c
)");
  AddOutside(p.interpreter(), "outside.look", Outside::kIgnore);
  AddOutside(p.interpreter(), "outside.add", Outside::kAdd);
  AddOutside(p.interpreter(), "outside.repeat", Outside::kRepeatTwice);
  EXPECT_EQ(p.Run({p.Floats({1, 2}, {1, 2}), p.Floats({3, 2}, {1, 0, 0, 1, 1, 1})}),
            "[[2, 4, 6, 2, 4, 6]]");
}

TEST(OldestDialect, ShapesAreMatchedAndComputed) {
  Program p(std::string(kImports) + R"(
@R.func
def main(x: R.Tensor[(n, 2, 2), "float32"], s: R.Shape):
    with R.dataflow():
        a: R.Tensor[(n, 4), "float32"] = R.reshape(x, (n, 4))
        a1 = R.flatten(a)
        b: R.Tensor[_, "float32"] = R.call_packed("outside.add", a1, a1)
        c: R.Tensor[(m,), "float32"] = R.match_shape(b, (m,))
        d: R.Shape = R.match_shape(s, (m,))
        e: R.Tensor[(m,), "float32"] = R.negative(c)
        R.outputs(e, d)
    return (e, d)
)");
  AddOutside(p.interpreter(), "outside.add", Outside::kAdd);
  const Value x = p.Floats({1, 2, 2}, {3, 1, 3, 2});
  EXPECT_EQ(p.Run({x, Value::OfShape({4})}), "([-6, -2, -6, -4], R.shape([4]))");
  EXPECT_THAT(p.Run({x, Value::OfShape({3})}), HasSubstr("run-struct-info-mismatch"));
}

// Bindings in a dataflow block are pure; calls outside of it make the
// function impure.
TEST(OldestDialect, PurityIsInferred) {
  Program p(std::string(kImports) + R"(
@tvm.script.ir_module
class Net:
    @R.function
    def quiet(x: R.Tensor[(n,), "float32"]):
        with R.dataflow():
            y = R.call_packed("outside.double", x)
            R.outputs(y)
        return y

    @R.function
    def loud(x: R.Tensor[(n,), "float32"]):
        y = R.call_packed("outside.double", x)
        return y

    @R.function
    def caller(x: R.Tensor[(n,), "float32"]):
        y = loud(x)
        return y

    @R.function
    def main(x: R.Tensor[(n,), "float32"]):
        with R.dataflow():
            y = quiet(x)
            R.outputs(y)
        z = caller(x)
        return (y, z)
)");
  AddOutside(p.interpreter(), "outside.double", Outside::kDouble);
  EXPECT_EQ(p.Errors(), "");
  EXPECT_EQ(p.Run({p.Floats({2}, {1, 2})}), "([4, 8], [4, 8])");
}

}  // namespace
}  // namespace lathe::interp
