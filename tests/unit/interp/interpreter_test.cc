#include "generator/interp/interpreter.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/run_program.h"

namespace lathe::interp {
namespace {

using ::testing::HasSubstr;

constexpr char kHead[] = R"(
from tvm.script import ir as I, relax as R, tir as T
@I.ir_module
class Module:
)";

std::string Module(const std::string& functions) { return absl::StrCat(kHead, functions); }

TEST(Interpreter, Leaves) {
  Program p(Module(R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Object:
        return (x, (R.const([1, 2], "int32"), R.shape([3, 4])), R.prim_value(5), R.str("six"), R.dtype("int8"))
)"));
  EXPECT_EQ(p.Run({p.Floats({2}, {0.5, -1})}),
            "([0.5, -1], ([1, 2], R.shape([3, 4])), 5, six, int8)");
}

TEST(Interpreter, GetFieldAndOperators) {
  Program p(Module(R"(
    @R.function
    def main(x: R.Tensor((2, 2), "float32"), y: R.Tensor((2,), "float32")) -> R.Tensor((2, 2), "float32"):
        with R.dataflow():
            t = (x, y)
            lv = t[0]
            lv1 = R.add(lv, t[1])
            gv = R.multiply(lv1, lv1)
            R.output(gv)
        return gv
)"));
  EXPECT_EQ(p.Run({p.Floats({2, 2}, {1, 2, 3, 4}), p.Floats({2}, {1, -1})}), "[[4, 1], [16, 9]]");
}

TEST(Interpreter, IfTakesOneBranch) {
  Program p(Module(R"(
    @R.function(pure=False)
    def main(c: R.Tensor((), "bool")) -> R.Tensor((), "int32"):
        if c:
            R.print(R.str("yes"))
            r = R.const(1, "int32")
        else:
            R.print(R.str("no"))
            r = R.const(2, "int32")
        return r
)"));
  EXPECT_EQ(p.Run({p.Of(ir::DType::Bool(), {}, {1})}), "1");
  EXPECT_EQ(p.Run({p.Of(ir::DType::Bool(), {}, {0})}), "2");
  EXPECT_EQ(p.printed, "yes\nno\n");
}

TEST(Interpreter, SignatureBindsLoneVariablesFirst) {
  // The specification's own example.
  Program p(Module(R"(
    @R.function
    def main(x: R.Tensor(("M * N",), "float32"), y: R.Tensor(("M", "N"), "float32")) -> R.Shape(["N * N", "M * M"]):
        M = T.int64()
        N = T.int64()
        return R.shape([N * N, M * M])
)"));
  EXPECT_EQ(p.Run({p.Floats({6}, {}), p.Floats({2, 3}, {})}), "R.shape([9, 4])");
  EXPECT_EQ(p.Run({p.Floats({5}, {}), p.Floats({2, 3}, {})}),
            "argument 'x' of 'main' does not match: wanted R.Tensor((M * N,), dtype=\"float32\"), "
            "got a tensor of shape (5,) and dtype float32; dimension 0 is 5, not M * N, which is 6 "
            "[run-struct-info-mismatch]\n");
}

TEST(Interpreter, ResultIsCheckedAgainstTheAnnotation) {
  Program p(Module(R"(
    @R.function
    def main(x: R.Tensor(dtype="float32", ndim=1), s: R.Shape(["n"])) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        y = R.match_cast(x, R.Tensor((n,), "float32"))
        return y
    @R.function
    def loose(x: R.Object, s: R.Shape(["n"])) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        f: R.Callable = R.ExternFunc("identity")
        y = R.call_pure_packed(f, x, sinfo_args=[R.Tensor((n,), "float32")])
        return y
)"));
  EXPECT_EQ(p.Run({p.Floats({2}, {1, 2}), Value::OfShape({2})}), "[1, 2]");
  EXPECT_THAT(p.Run({p.Floats({2}, {1, 2}), Value::OfShape({3})}),
              HasSubstr("the match_cast that binds 'y' in 'main' does not match: wanted "
                        "R.Tensor((n,), dtype=\"float32\"), got a tensor of shape (2,) and dtype "
                        "float32; dimension 0 is 2, not n, which is 3"));
  EXPECT_EQ(p.Run({Value(), Value::OfShape({3})}, "loose"),
            "unknown packed function 'identity' [run-missing-packed-func]\n");
  p.interpreter().runtime().options.packed.Add(
      "identity", [](const PackedCall& call) -> absl::StatusOr<Value> { return call.args[0]; });
  EXPECT_THAT(p.Run({p.Floats({2}, {1, 2}), Value::OfShape({3})}, "loose"),
              HasSubstr("the result of 'loose' does not match: wanted R.Tensor((n,)"));
  EXPECT_EQ(p.Run({p.Floats({2}, {1, 2}), Value::OfShape({2})}, "loose"), "[1, 2]");
}

TEST(Interpreter, MatchCastBindsAndChecks) {
  Program p(Module(R"(
    @R.function
    def main(x: R.Object) -> R.Object:
        n = T.int64()
        m = T.int64()
        y = R.match_cast(x, R.Tuple(R.Tensor((n, 4)), R.Shape([n * 2, m]), R.Object))
        return R.shape([m, n])
)"));
  const auto tuple = [&](Value a, Value b) {
    return *Value::OfTuple({std::move(a), std::move(b), Value()}, p.interpreter().budget());
  };
  EXPECT_EQ(p.Run({tuple(p.Floats({3, 4}, {}), Value::OfShape({6, 9}))}), "R.shape([9, 3])");
  EXPECT_THAT(p.Run({tuple(p.Floats({3, 5}, {}), Value::OfShape({6, 9}))}),
              HasSubstr("field 0: dimension 1 is 5, not 4"));
  EXPECT_THAT(p.Run({tuple(p.Floats({3, 4}, {}), Value::OfShape({5, 9}))}),
              HasSubstr("field 1: dimension 0 is 5, not n * 2, which is 6"));
  EXPECT_THAT(p.Run({tuple(p.Floats({3}, {}), Value::OfShape({6, 9}))}),
              HasSubstr("field 0: it has 1 dimension, not 2"));
  EXPECT_THAT(p.Run({p.Floats({3}, {})}), HasSubstr("not a tuple"));
}

TEST(Interpreter, ClosuresCaptureByReference) {
  Program p(Module(R"(
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32")) -> R.Tuple(R.Tensor(("n",), "float32"), R.Shape(["n + 1"])):
        n = T.int64()
        @R.function(pure=False)
        def inner(k: R.Shape(["m"])) -> R.Tuple(R.Tensor((n,), "float32"), R.Shape(["n + 1"])):
            m = T.int64()
            return (x, R.shape([n + 1]))
        _ = R.call_packed("set_first", x, sinfo_args=R.Tuple())
        r = inner(R.shape([7]))
        return r
)"));
  p.interpreter().runtime().options.packed.Add(
      "set_first", [](const PackedCall& call) -> absl::StatusOr<Value> {
        call.args[0].AsTensor()->Set(0, FromDouble(ir::DType::Float(32), 42));
        return Value::Unit();
      });
  const Value x = p.Floats({2}, {1, 2});
  EXPECT_EQ(p.Run({x}), "([42, 2], R.shape([3]))");
  EXPECT_EQ(ShowValue(x), "[42, 2]");  // the caller's tensor is the same memory
}

TEST(Interpreter, RecursionOfLocalAndGlobalFunctions) {
  Program p(Module(R"(
    @R.function
    def main(n: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
        @R.function
        def fact(k: R.Tensor((), "int64")) -> R.Tensor((), "int64"):
            c = R.less_equal(k, R.const(1, "int64"))
            if c:
                r = k
            else:
                rest = fact(R.subtract(k, R.const(1, "int64")))
                r = R.multiply(k, rest)
            return r
        f = fact(n)
        return f
    @R.function
    def even(n: R.Tensor((), "int64")) -> R.Tensor((), "bool"):
        cls = Module
        c = R.equal(n, R.const(0, "int64"))
        if c:
            r: R.Tensor((), "bool") = R.const(True, "bool")
        else:
            r: R.Tensor((), "bool") = cls.odd(R.subtract(n, R.const(1, "int64")))
        return r
    @R.function
    def odd(n: R.Tensor((), "int64")) -> R.Tensor((), "bool"):
        cls = Module
        c = R.equal(n, R.const(0, "int64"))
        if c:
            r: R.Tensor((), "bool") = R.const(False, "bool")
        else:
            r: R.Tensor((), "bool") = cls.even(R.subtract(n, R.const(1, "int64")))
        return r
)"));
  const auto i64 = [&](double n) { return p.Of(ir::DType::Int(64), {}, {n}); };
  EXPECT_EQ(p.Run({i64(10)}), "3628800");
  EXPECT_EQ(p.Run({i64(7)}, "even"), "False");
  EXPECT_EQ(p.Run({i64(5000)}, "even"), "True");
}

constexpr char kCountDown[] = R"(
    @R.function
    def main(n: R.Prim("int64")) -> R.Shape(ndim=1):
        cls = Module
        r = cls.loop(R.shape([n]), R.shape([n]))
        return r
    @R.function
    def loop(a: R.Shape(["n"]), b: R.Shape(["m"])) -> R.Shape(ndim=1):
        n = T.int64()
        m = T.int64()
        cls = Module
        done = R.prim_value(n == 0)
        if done:
            r: R.Shape(ndim=1) = R.shape([m])
        else:
            r: R.Shape(ndim=1) = cls.loop(R.shape([n - 1]), R.shape([m]))
        return r
    @R.function
    def deep(n: R.Prim("int64")) -> R.Shape(ndim=1):
        cls = Module
        r = cls.sum(R.shape([n]))
        return r
    @R.function
    def sum(a: R.Shape(["n"])) -> R.Shape(ndim=1):
        n = T.int64()
        m = T.int64()
        cls = Module
        done = R.prim_value(n == 0)
        if done:
            r: R.Shape(ndim=1) = R.shape([0])
        else:
            rest = cls.sum(R.shape([n - 1]))
            _ = R.match_cast(rest, R.Shape([m]))
            r: R.Shape(ndim=1) = R.shape([m + n])
        return r
)";

#ifdef NDEBUG
constexpr int64_t kManyCalls = 1'000'000;
constexpr int64_t kDeepest = kMaxCallDepth;
#else
// Without optimisation a million calls take a minute.
constexpr int64_t kManyCalls = 20'000;
constexpr int64_t kDeepest = 5'000;
#endif

TEST(Interpreter, TailCallsUseOneFrame) {
  Options options;
  options.max_call_depth = 3;
  Program p(Module(kCountDown), std::move(options));
  EXPECT_EQ(p.Run({Value(Scalar::Int(kManyCalls))}), absl::StrCat("R.shape([", kManyCalls, "])"));
  EXPECT_EQ(p.interpreter().budget()->used(), 0u);
}

TEST(Interpreter, DeepRecursionAndItsLimit) {
  Options options;
  options.max_call_depth = static_cast<int>(kDeepest);
  Program p(Module(kCountDown), std::move(options));
  const int64_t n = kDeepest - 10;
  EXPECT_EQ(p.Run({Value(Scalar::Int(n))}, "deep"),
            absl::StrCat("R.shape([", n * (n + 1) / 2, "])"));
  EXPECT_THAT(p.Run({Value(Scalar::Int(2 * n))}, "deep"), HasSubstr("[run-call-depth]"));
}

TEST(Interpreter, StepsAndMemoryAreLimited) {
  Options options;
  options.max_steps = 1000;
  options.max_bytes = 1 << 20;
  Program p(Module(R"(
    @R.function
    def main(n: R.Prim("int64")) -> R.Object:
        cls = Module
        r: R.Object = cls.main(n)
        return r
    @R.function
    def nest(t: R.Object) -> R.Object:
        cls = Module
        r: R.Object = cls.nest((t, t))
        return r
    @R.function
    def big(s: R.Shape(["n"])) -> R.Tensor(("n",), "float32"):
        n = T.int64()
        return R.zeros(R.shape([n]), "float32")
)"),
            std::move(options));
  EXPECT_THAT(p.Run({Value(Scalar::Int(1))}), HasSubstr("[run-step-limit]"));
  p.interpreter().runtime().options.max_steps = 100'000'000;
  EXPECT_THAT(p.Run({Value()}, "nest"), HasSubstr("[run-memory-limit]"));
  EXPECT_THAT(p.Run({Value::OfShape({1 << 20})}, "big"), HasSubstr("[run-memory-limit]"));
  EXPECT_THAT(p.Run({Value::OfShape({int64_t{1} << 60})}, "big"), HasSubstr("[run-memory-limit]"));
}

TEST(Interpreter, ClosuresCarryTheirStructure) {
  Program p(Module(R"(
    @R.function
    def main(x: R.Tensor((4,), "float32")) -> R.Object:
        @R.function
        def f(y: R.Tensor(("k",), "float32")) -> R.Tensor(("k",), "float32"):
            return y
        g: R.Object = f
        h = R.match_cast(g, R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True))
        r = h(x)
        return r
    @R.function
    def wrong(x: R.Tensor((4,), "float32")) -> R.Object:
        @R.function
        def f(y: R.Tensor((3,), "float32")) -> R.Tensor((3,), "float32"):
            return y
        g: R.Object = f
        h = R.match_cast(g, R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True))
        r = h(x)
        return r
    @R.function(pure=False)
    def impure(x: R.Tensor((4,), "float32")) -> R.Object:
        @R.function(pure=False)
        def f(y: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
            return y
        g: R.Object = f
        h = R.match_cast(g, R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True))
        r = h(x)
        return r
    @R.function
    def captured(x: R.Tensor(("n",), "float32")) -> R.Object:
        n = T.int64()
        @R.function
        def f(y: R.Tensor((n,), "float32")) -> R.Tensor((n,), "float32"):
            return y
        g: R.Object = f
        h = R.match_cast(g, R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True))
        r = h(R.match_cast(x, R.Tensor((4,), "float32")))
        return r
)"));
  const Value x = p.Floats({4}, {1, 2, 3, 4});
  EXPECT_EQ(p.Run({x}), "[1, 2, 3, 4]");
  EXPECT_THAT(p.Run({x}, "wrong"), HasSubstr("[run-struct-info-mismatch]"));
  EXPECT_THAT(p.Run({x}, "impure"), HasSubstr("[run-struct-info-mismatch]"));
  EXPECT_EQ(p.Run({x}, "captured"), "[1, 2, 3, 4]");
  EXPECT_THAT(p.Run({p.Floats({3}, {1, 2, 3})}, "captured"),
              HasSubstr("[run-struct-info-mismatch]"));
}

TEST(Interpreter, ConstantsAreCopied) {
  Program p(Module(R"(
    @R.function(pure=False)
    def fresh() -> R.Tensor((2,), "float32"):
        c = R.const([1.0, 2.0], "float32")
        return c
    @R.function(pure=False)
    def main() -> R.Object:
        cls = Module
        a = cls.fresh()
        _ = R.call_packed("set_first", a, sinfo_args=R.Tuple())
        b = cls.fresh()
        return (a, b)
)"));
  p.interpreter().runtime().options.packed.Add(
      "set_first", [](const PackedCall& call) -> absl::StatusOr<Value> {
        call.args[0].AsTensor()->Set(0, FromDouble(ir::DType::Float(32), 42));
        return Value::Unit();
      });
  EXPECT_EQ(p.Run({}), "([42, 2], [1, 2])");
}

TEST(Interpreter, ShapesAndTensors) {
  Program p(Module(R"(
    @R.function
    def main(x: R.Tensor(("n", 3), "float32")) -> R.Object:
        s = R.shape_of(x)
        t = R.shape_to_tensor(s)
        u = R.tensor_to_shape(t)
        return (s, t, u, R.size(x), R.null_value())
)"));
  EXPECT_EQ(p.Run({p.Floats({2, 3}, {})}), "(R.shape([2, 3]), [2, 3], R.shape([2, 3]), 6, None)");
}

TEST(Interpreter, PrintAndAssert) {
  Program p(Module(R"(
    @R.function(pure=False)
    def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")) -> R.Object:
        _ = R.print(x, R.prim_value(3), format="x is {} and n is {}")
        _1 = R.print(x)
        _2 = R.assert_op(c, x, format="x was {}")
        return R.str("done")
)"));
  const Value x = p.Floats({2}, {1, 2.5});
  EXPECT_EQ(p.Run({x, p.Of(ir::DType::Bool(), {}, {1})}), "done");
  EXPECT_EQ(p.printed, "x is [1, 2.5] and n is 3\n[1, 2.5]\n");
  EXPECT_EQ(p.Run({x, p.Of(ir::DType::Bool(), {}, {0})}),
            "assertion failed: x was [1, 2.5] [run-assertion-failed]\n");
}

TEST(Interpreter, MakeClosureBindsTheLastParameters) {
  Program p(Module(R"(
    @R.function(private=True)
    def lifted(y: R.Tensor((2,), "float32"), x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        z = R.subtract(y, x)
        return z
    @R.function
    def main(x: R.Tensor((2,), "float32"), y: R.Tensor((2,), "float32")) -> R.Object:
        cls = Module
        clo = R.make_closure(cls.lifted, (x,))
        r = R.invoke_pure_closure(clo, (y,), sinfo_args=R.Tensor((2,), "float32"))
        return r
)"));
  EXPECT_EQ(p.Run({p.Floats({2}, {1, 2}), p.Floats({2}, {10, 20})}), "[9, 18]");
}

TEST(Interpreter, WrongArguments) {
  Program p(Module(R"(
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return x
)"));
  EXPECT_EQ(p.Run({}), "'main' takes 1 argument, got 0 [run-wrong-arguments]\n");
  EXPECT_THAT(p.Run({Value::OfString("x")}), HasSubstr("it is the string \"x\", not a tensor"));
  EXPECT_THAT(p.Run({p.Of(ir::DType::Float(64), {2}, {})}),
              HasSubstr("its dtype is float64, not float32"));
}

// What is checked before leaves no such program; an operator still looks at what it gets.
TEST(Interpreter, AnOperatorWorksOnOneDevice) {
  Program p(R"(
from tvm.script import ir as I, relax as R
@I.ir_module
class Module:
    I.module_global_infos({"vdevice": [I.vdevice("llvm"), I.vdevice("cuda", 0)]})
    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Object:
        a: R.Object = R.to_vdevice(x, "llvm")
        b: R.Object = R.to_vdevice(x, "cuda:0")
        c = R.match_cast(a, R.Tensor((2,), "float32"))
        d = R.match_cast(b, R.Tensor((2,), "float32"))
        z = R.add(c, d)
        return z
)");
  EXPECT_THAT(p.Run({p.Floats({2}, {1, 2})}),
              HasSubstr("R.add: its arguments are on different devices, llvm:0:global and "
                        "cuda:0:global; R.to_vdevice moves a tensor [run-mixed-devices]"));
}

}  // namespace
}  // namespace lathe::interp
