#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/run_program.h"

namespace lathe::interp {
namespace {

using ir::DType;
using ::testing::HasSubstr;

// A module of PrimFuncs; the one called `main` is run.
class PrimFuncTest : public ::testing::Test {
 protected:
  void Read(const std::string& functions, Options options = {}) {
    program_ = std::make_unique<Program>(
        absl::StrCat("from tvm.script import ir as I, relax as R, tir as T\n@I.ir_module\n"
                     "class Module:\n",
                     functions),
        std::move(options));
  }
  Value Of(DType t, std::vector<int64_t> shape, const std::vector<double>& elements) {
    return program_->Of(t, std::move(shape), elements);
  }
  Value Floats(std::vector<int64_t> shape, const std::vector<double>& elements) {
    return Of(DType::Float(32), std::move(shape), elements);
  }
  Value Ints(std::vector<int64_t> shape, const std::vector<double>& elements) {
    return Of(DType::Int(32), std::move(shape), elements);
  }
  // The last argument after the run, or the errors.
  std::string Run(std::vector<Value> args) {
    const absl::StatusOr<Value> value = program_->RunValue(args);
    return value.ok() ? ShowValue(args.back()) : program_->Errors();
  }
  std::unique_ptr<Program> program_;
};

TEST_F(PrimFuncTest, MatmulWithInit) {
  Read(R"(
    @T.prim_func
    def main(a: T.handle, b: T.handle, c: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 3), "float32")
        B = T.match_buffer(b, (3, n), "float32")
        C = T.match_buffer(c, (n, n), "float32")
        for i, j, k in T.grid(n, n, 3):
            with T.block("C"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)");
  EXPECT_EQ(Run({Floats({2, 3}, {1, 2, 3, 4, 5, 6}), Floats({3, 2}, {1, 0, 0, 1, 1, 1}),
                 Floats({2, 2}, {})}),
            "[[4, 5], [10, 11]]");
  EXPECT_EQ(Run({Floats({2, 3}, {}), Floats({3, 3}, {}), Floats({2, 2}, {})}),
            "argument 2 of 'main': dimension 1 of buffer 'B' must be n, which is 2, got 3 "
            "[run-buffer-mismatch]\n");
  EXPECT_THAT(Run({Floats({2, 3}, {}), Floats({3, 2}, {}), Floats({2}, {})}),
              HasSubstr("must be a tensor of 2 dimensions and dtype float32"));
  EXPECT_THAT(Run({Floats({2, 3}, {}), Floats({3, 2}, {})}), HasSubstr("[run-wrong-arguments]"));
}

TEST_F(PrimFuncTest, WhereAndPartialTiles) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "int32")):
        for io, ii in T.grid(3, 4):
            with T.block("B"):
                vi = T.axis.spatial(10, io * 4 + ii)
                T.where(io * 4 + ii < 10)
                B[vi] = A[vi] * 2 + vi
)");
  EXPECT_EQ(Run({Ints({10}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}), Ints({10}, {})}),
            "[2, 3, 4, 5, 6, 7, 8, 9, 10, 11]");
}

TEST_F(PrimFuncTest, AccessesAreChecked) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((2, 3), "float32"), i: T.int32, j: T.int32, B: T.Buffer((1,), "float32")):
        B[0] = A[i, j]
)");
  const auto at = [&](int64_t i, int64_t j) {
    return Run({Floats({2, 3}, {1, 2, 3, 4, 5, 6}), Value(Scalar::Int(i, DType::Int(32))),
                Value(Scalar::Int(j, DType::Int(32))), Floats({1}, {})});
  };
  EXPECT_EQ(at(1, 2), "[6]");
  EXPECT_EQ(at(1, 3),
            "'A[1, 3]' is out of bounds: index 3 of dimension 1 must be at least 0 and less than "
            "3; the buffer's shape is (2, 3) [run-out-of-bounds]\n");
  EXPECT_THAT(at(-1, 0), HasSubstr("index -1 of dimension 0"));
  EXPECT_THAT(at(2, -2147483647), HasSubstr("[run-out-of-bounds]"));
}

TEST_F(PrimFuncTest, WhileBreakContinueAndIf) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((8,), "int32"), B: T.Buffer((2,), "int32")):
        B[0] = 0
        B[1] = 0
        while B[0] < 100:
            B[0] = B[0] + 1
            if B[0] % 2 == 0:
                continue
            if B[0] > 9:
                break
            B[1] = B[1] + B[0]
        for i in range(8):
            if A[i] < 0:
                break
            else:
                B[0] = B[0] + A[i]
)");
  EXPECT_EQ(Run({Ints({8}, {1, 2, 3, -1, 5, 6, 7, 8}), Ints({2}, {})}), "[17, 25]");
}

TEST_F(PrimFuncTest, LetsCastsAndLazyBranches) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                B[vi] = T.if_then_else(A[vi] == 0, T.float32(-1), T.Cast("float32", 12 // A[vi]))
)");
  EXPECT_EQ(Run({Ints({4}, {0, 1, 5, -5}), Floats({4}, {})}), "[-1, 12, 2, -3]");
}

TEST_F(PrimFuncTest, DivisionByZeroGivesZero) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
        for i in range(4):
            B[i] = 12 // A[i] * 100 + T.truncmod(12, A[i])
)");
  EXPECT_EQ(Run({Ints({4}, {1, 5, 0, -5}), Ints({4}, {})}), "[1200, 202, 0, -298]");
}

TEST_F(PrimFuncTest, AllocationsStartFreshEachTime) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.block("outer"):
                vi = T.axis.spatial(4, i)
                C = T.alloc_buffer((4,), "float32", scope="local")
                if vi == 0:
                    C[0] = A[0]
                B[vi] = C[0]
)");
  EXPECT_EQ(Run({Floats({4}, {1, 2, 3, 4}), Floats({4}, {})}), "[1, nan, nan, nan]");
}

TEST_F(PrimFuncTest, MatchBufferTakesStridesAndOffset) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((4, 6), "int32"), B: T.Buffer((4, 6), "int32")):
        for i, j in T.grid(2, 3):
            with T.block("tile"):
                vi, vj = T.axis.remap("SS", [i, j])
                s0 = T.int32()
                s1 = T.int32()
                e = T.int32()
                SA = T.match_buffer(A[vi * 2 : vi * 2 + 2, vj * 2 : vj * 2 + 2], (2, 2), "int32", strides=[s0, s1], elem_offset=e)
                SB = T.match_buffer(B[vi * 2 : vi * 2 + 2, vj * 2 : vj * 2 + 2], (2, 2), "int32", strides=[s0, s1])
                for k, l in T.grid(2, 2):
                    SB[k, l] = SA[l, k] * 100 + s0 * 10 + s1 + e * 0
)");
  EXPECT_EQ(Run({Ints({4, 6}, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                               12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}),
                 Ints({4, 6}, {})}),
            "[[61, 661, 261, 861, 461, 1061], [161, 761, 361, 961, 561, 1161], "
            "[1261, 1861, 1461, 2061, 1661, 2261], [1361, 1961, 1561, 2161, 1761, 2361]]");
}

TEST_F(PrimFuncTest, VectorsLaneByLane) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
        B[T.Ramp(0, 2, 4)] = A[T.Ramp(0, 1, 4)] + T.Broadcast(T.float32(10), 4)
        B[T.Ramp(1, 2, 4)] = T.max(A[T.Ramp(7, -1, 4)], T.Broadcast(T.float32(6), 4))
)");
  EXPECT_EQ(Run({Floats({8}, {0, 1, 2, 3, 4, 5, 6, 7}), Floats({8}, {})}),
            "[10, 7, 11, 6, 12, 6, 13, 6]");
}

TEST_F(PrimFuncTest, LoopsOfEveryKindAndSteps) {
  Read(R"(
    @T.prim_func
    def main(B: T.Buffer((8,), "int32")):
        for i in T.parallel(0, 2):
            B[i] = 1
        for i in T.vectorized(2):
            B[2 + i] = 2
        for i in T.unroll(2):
            B[4 + i] = 3
        for i in T.thread_binding(2, thread="threadIdx.x"):
            B[6 + i] = 4
        for i in T.serial(0, 8, step=3):
            B[i] = B[i] * 10
)");
  EXPECT_EQ(Run({Ints({8}, {})}), "[10, 1, 2, 20, 3, 3, 40, 4]");
}

TEST_F(PrimFuncTest, ConditionsShortCircuit) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
        for i in range(3):
            B[i] = T.if_then_else(1 <= i and A[i - 1] > 5, 1, 0) + T.if_then_else(
                2 <= i or A[i + 1] > 5, 10, 0)
)");
  EXPECT_EQ(Run({Ints({3}, {9, 4, 2}), Ints({3}, {})}), "[0, 1, 10]");
}

TEST_F(PrimFuncTest, NestedEqualTagsAreOneThread) {
  Read(R"(
    @T.prim_func
    def main(B: T.Buffer((3, 3), "int32")):
        for i in T.thread_binding(3, thread="vthread.x"):
            for j in T.thread_binding(3, thread="vthread.x"):
                B[i, j] = 1 + j
)");
  EXPECT_EQ(Run({Ints({3, 3}, {})}), "[[1, -1, -1], [-1, 2, -1], [-1, -1, 3]]");
}

TEST_F(PrimFuncTest, CooperativeFetchIsVisibleToAll) {
  Read(R"(
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
        near = T.sblock_alloc_buffer((4,), "int32", scope="shared")
        for i in T.thread_binding(4, thread="threadIdx.x"):
            for round in range(2):
                for j in T.thread_binding(4, thread="threadIdx.x"):
                    near[j] = A[j] + round
                B[3 - i] = near[3 - i] + near[0]
)");
  EXPECT_EQ(Run({Ints({4}, {1, 20, 300, 4000}), Ints({4}, {})}), "[4, 23, 303, 4003]");
}

TEST_F(PrimFuncTest, LocalMemoryIsPrivateToThreads) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
        near = T.decl_buffer((1,), "int32", scope="local")
        t = T.launch_thread("threadIdx.x", 4)
        near[0] = A[t]
        T.evaluate(T.tvm_storage_sync("shared"))
        B[t] = near[0]
)");
  EXPECT_EQ(Run({Ints({4}, {1, 2, 3, 4}), Ints({4}, {})}), "[1, 2, 3, 4]");
}

TEST_F(PrimFuncTest, ThreadsSynchronizeAtBarriers) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
        for b in T.thread_binding(2, thread="blockIdx.x"):
            for t in T.thread_binding(4, thread="threadIdx.x"):
                with T.block("reverse"):
                    S = T.alloc_buffer((4,), "int32", scope="shared")
                    S[t] = A[b * 4 + t]
                    T.evaluate(T.tvm_storage_sync("shared"))
                    B[b * 4 + t] = S[3 - t]
)");
  EXPECT_EQ(Run({Ints({8}, {1, 2, 3, 4, 5, 6, 7, 8}), Ints({8}, {})}), "[4, 3, 2, 1, 8, 7, 6, 5]");
}

TEST_F(PrimFuncTest, WarpShuffles) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
        for t in T.thread_binding(8, thread="threadIdx.x"):
            B[t] = T.tvm_warp_shuffle_xor(T.uint32(255), A[t], 1, 8, 8) * 100 + T.tvm_warp_shuffle_down(T.uint32(255), A[t], 2, 4, 8)
)");
  EXPECT_EQ(Run({Ints({8}, {0, 1, 2, 3, 4, 5, 6, 7}), Ints({8}, {})}),
            "[102, 3, 302, 203, 506, 407, 706, 607]");
}

TEST_F(PrimFuncTest, CallsOfOtherPrimFuncs) {
  Read(R"(
    @T.prim_func(private=True)
    def twice(A: T.Buffer((2,), "int32"), k: T.int32):
        for i in range(2):
            A[i] = A[i] * k
    @T.prim_func
    def main(A: T.Buffer((2,), "int32")):
        Module.twice(A.data, 5)
)");
  EXPECT_EQ(Run({Ints({2}, {3, -4})}), "[15, -20]");
}

TEST_F(PrimFuncTest, ExternCallsSeeTheMemory) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((4,), "float32")):
        T.evaluate(T.call_extern("int32", "negate_all", A.data, 2))
        A[3] = T.call_pure_extern("float32", "sqrtf", A[3])
        A[2] = T.call_extern("float32", "missing_one", A[2])
)");
  program_->interpreter().runtime().options.packed.Add(
      "negate_all", [](const PackedCall& call) -> absl::StatusOr<Value> {
        const Tensor& t = *call.args[0].AsTensor();
        EXPECT_EQ(t.shape, std::vector<int64_t>{4});
        for (int64_t n = 0; n < call.args[1].AsScalar()->AsInt(); ++n) {
          t.Set(static_cast<uint64_t>(n),
                FromDouble(t.dtype, -t.At(static_cast<uint64_t>(n)).AsDouble()));
        }
        return Value(Scalar::Int(0, DType::Int(32)));
      });
  const Value a = Floats({4}, {1, 2, 3, 16});
  EXPECT_EQ(Run({a}), "unknown packed function 'missing_one' [run-missing-packed-func]\n");
  EXPECT_EQ(ShowValue(a), "[-1, -2, 3, 4]");
}

TEST_F(PrimFuncTest, AssertionsAndUnboundVariables) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((1,), "int32")):
        assert A[0] > 0, "must be positive"
        A[0] = 7
)");
  EXPECT_EQ(Run({Ints({1}, {1})}), "[7]");
  EXPECT_THAT(Run({Ints({1}, {0})}), HasSubstr("must be positive [run-assertion-failed]"));
}

TEST_F(PrimFuncTest, PackedIntegersAndSmallFloats) {
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((5,), "int4"), B: T.Buffer((5,), "float16"), C: T.Buffer((5,), "int4")):
        for i in range(5):
            C[i] = A[4 - i] + T.Cast("int4", B[i])
)");
  EXPECT_EQ(Run({Of(DType::Int(4), {5}, {-8, -1, 0, 3, 7}),
                 Of(DType::Float(16), {5}, {1, 0.5, -1, 2.9, 0}), Of(DType::Int(4), {5}, {})}),
            "[-8, 3, -1, 1, -8]");
}

TEST_F(PrimFuncTest, LimitsEndInErrors) {
  Options options;
  options.max_steps = 10'000;
  options.max_bytes = 1 << 20;
  Read(R"(
    @T.prim_func
    def main(A: T.Buffer((1,), "int32")):
        while A[0] == 0:
            A[0] = 0
        if A[0] == 1:
            for i in range(2147483647):
                A[0] = 1
        if A[0] == 2:
            with T.block("big"):
                B = T.alloc_buffer((1048576,), "float32")
                B[0] = T.float32(0)
)",
       std::move(options));
  EXPECT_THAT(Run({Ints({1}, {0})}), HasSubstr("[run-step-limit]"));
  program_->interpreter().runtime().steps_left = 10'000;
  EXPECT_THAT(Run({Ints({1}, {1})}), HasSubstr("[run-step-limit]"));
  program_->interpreter().runtime().steps_left = 10'000;
  EXPECT_THAT(Run({Ints({1}, {2})}), HasSubstr("[run-memory-limit]"));
}

}  // namespace
}  // namespace lathe::interp
