// Tests communication and collective operations of GPU threads in the interpreter.
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/substitute.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/mma_program.h"
#include "tests/support/run_program.h"

namespace lathe::interp {
namespace {

using ir::DType;
using lathe::testing::MmaProduct;
using ::testing::HasSubstr;

constexpr char kGpuImports[] = "from tvm.script import ir as I, relax as R, tirx as T\n";

// The last argument after `body` ran for `threads` threads of a block, or the errors.
std::string Ran(const std::string& params, int threads, const std::string& body,
                std::vector<double> x, DType of, int64_t results) {
  std::string text = absl::StrCat(
      kGpuImports, "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(", params,
      "):\n        for t in T.thread_binding(", threads, ", thread=\"threadIdx.x\"):\n");
  absl::StrAppend(&text, body);
  Program program(text);
  std::vector<Value> args = {program.Of(of, {static_cast<int64_t>(x.size())}, x),
                             program.Of(DType::Int(32), {results}, {})};
  const absl::StatusOr<Value> value = program.RunValue(args);
  return value.ok() ? ShowValue(args.back()) : program.Errors();
}

// Of eight numbers, by eight threads.
std::string OfEight(const std::string& value) {
  return Ran("X: T.Buffer((8,), \"int32\"), Y: T.Buffer((8,), \"int32\")", 8,
             absl::StrCat("            Y[t] = ", value, "\n"), {5, 0, 7, 0, 0, 2, 0, 9},
             DType::Int(32), 8);
}

struct Told {
  const char* value;
  const char* result;
};
class ToldTest : public ::testing::TestWithParam<Told> {};
TEST_P(ToldTest, MatchesTheLanes) { EXPECT_EQ(OfEight(GetParam().value), GetParam().result); }

constexpr Told kTold[] = {
    {"T.Cast(\"int32\", T.cuda.ballot_sync(T.uint32(255), X[t]))",
     "[165, 165, 165, 165, 165, 165, 165, 165]"},
    {"T.Cast(\"int32\", T.cuda.ballot_sync(T.uint32(255), X[t] - 9))",
     "[127, 127, 127, 127, 127, 127, 127, 127]"},
    {"T.cuda.any_sync(T.uint32(255), T.Cast(\"int32\", X[t] > 8))", "[1, 1, 1, 1, 1, 1, 1, 1]"},
    {"T.cuda.any_sync(T.uint32(255), T.Cast(\"int32\", X[t] > 9))", "[0, 0, 0, 0, 0, 0, 0, 0]"},
    {"T.cuda.warp_sum(X[t], 4)", "[12, 12, 12, 12, 11, 11, 11, 11]"},
    {"T.cuda.warp_reduce(X[t], \"max\", width=2)", "[5, 5, 7, 7, 2, 2, 9, 9]"},
    {"T.cuda.warp_min(X[t] + 1, 2)", "[1, 1, 1, 1, 1, 1, 1, 1]"},
    {"T.Cast(\"int32\", T.cuda.reduce_add_sync_u32(T.uint32(255), T.Cast(\"uint32\", X[t])))",
     "[23, 23, 23, 23, 23, 23, 23, 23]"},
    {"T.cuda.__shfl_down_sync(T.uint32(255), X[t], 2, 4)", "[7, 0, 7, 0, 0, 9, 0, 9]"},
    {"T.Cast(\"int32\", T.cuda.syncthreads_and(X[t]))", "[0, 0, 0, 0, 0, 0, 0, 0]"},
    {"T.Cast(\"int32\", T.cuda.syncthreads_or(X[t]))", "[1, 1, 1, 1, 1, 1, 1, 1]"},
    {"T.Cast(\"int32\", T.tvm_warp_activemask())", "[255, 255, 255, 255, 255, 255, 255, 255]"},
    {"T.Cast(\"int32\", T.cuda.elect_sync())", "[1, 0, 0, 0, 0, 0, 0, 0]"},
    {"T.cuda.thread_rank() * 10 + T.cuda.mov_sreg(32, \"ntid.x\")",
     "[8, 18, 28, 38, 48, 58, 68, 78]"},
    {"T.cuda.ffs_u32(T.Cast(\"uint32\", X[t] * 4))", "[3, 0, 3, 0, 0, 4, 0, 3]"},
    {"T.Cast(\"int32\", T.cuda.float_as_uint(T.Cast(\"float32\", X[t])) >> T.uint32(23))",
     "[129, 0, 129, 0, 0, 128, 0, 130]"},
    {"T.Cast(\"int32\", T.cuda.float2_y(T.cuda.fmul2_rn(T.cuda.make_float2(T.float32(9), "
     "T.Cast(\"float32\", "
     "X[t])), T.cuda.make_float2(T.float32(1), T.float32(3)))))",
     "[15, 0, 21, 0, 0, 6, 0, 27]"},
    {"T.cuda.ldg(T.address_of(X[7 - t]), \"int32\")", "[9, 0, 2, 0, 0, 7, 0, 5]"},
};
INSTANTIATE_TEST_SUITE_P(All, ToldTest, ::testing::ValuesIn(kTold));

// One warp exchanges while the other has come to the barrier: it waits for the first.
TEST(GpuCallTest, BarrierWaitsForWarpExchanges) {
  EXPECT_EQ(Ran("X: T.Buffer((64,), \"int32\"), Y: T.Buffer((2,), \"int32\")", 64,
                "            S = T.alloc_shared((1,), \"int32\")\n"
                "            if t < 32:\n"
                "                s: T.int32 = T.cuda.warp_sum(X[t])\n"
                "                m: T.int32 = T.cuda.warp_max(s + t)\n"
                "                if t == 0:\n"
                "                    S[0] = m\n"
                "            T.cuda.cta_sync()\n"
                "            if t % 32 == 0:\n"
                "                Y[t // 32] = S[0]\n",
                std::vector<double>(64, 1), DType::Int(32), 2),
            "[63, 63]");
}

TEST(GpuCallTest, ReportsExchangeWithLanesAtABarrier) {
  EXPECT_THAT(Ran("X: T.Buffer((64,), \"int32\"), Y: T.Buffer((2,), \"int32\")", 64,
                  "            if t < 16:\n"
                  "                Y[0] = T.cuda.warp_sum(X[t])\n"
                  "            T.cuda.cta_sync()\n",
                  std::vector<double>(64, 1), DType::Int(32), 2),
              HasSubstr("waits for threads of its warp that wait at a block barrier "
                        "[run-malformed-program]"));
}

TEST(GpuCallTest, BlocksFindTheirSum) {
  EXPECT_EQ(Ran("X: T.Buffer((64,), \"int32\"), Y: T.Buffer((2,), \"int32\")", 64,
                "            S = T.alloc_shared((2,), \"int32\")\n"
                "            s: T.int32 = T.cuda.cta_sum(X[t], 2, S.data)\n"
                "            if t % 32 == 0:\n"
                "                Y[t // 32] = s\n",
                std::vector<double>(64, 2), DType::Int(32), 2),
            "[128, 128]");
}

TEST(GpuCallTest, AtomicsReturnTheOldValue) {
  EXPECT_EQ(Ran("X: T.Buffer((1,), \"int32\"), Y: T.Buffer((4,), \"int32\")", 3,
                "            Y[t] = T.cuda.atomic_add(T.address_of(X[0]), t + 1)\n"
                "            T.evaluate(T.cuda.atomic_cas(T.address_of(Y[3]), t - 1, 7 + t))\n",
                {10}, DType::Int(32), 4),
            "[10, 11, 13, 7]");
}

TEST(GpuCallTest, PredicatedCopiesFillZeros) {
  EXPECT_EQ(Ran("X: T.Buffer((8,), \"int32\"), Y: T.Buffer((8,), \"int32\")", 2,
                "            S = T.alloc_shared((8,), \"int32\")\n"
                "            T.evaluate(T.ptx_cp_async(\"int32\", S.data, t * 4, X.data, 4 - t * "
                "4, 16, t == 0))\n"
                "            T.evaluate(T.ptx_commit_group())\n"
                "            T.evaluate(T.ptx_wait_group(0))\n"
                "            for i in range(4):\n"
                "                Y[t * 4 + i] = S[t * 4 + i]\n",
                {1, 2, 3, 4, 5, 6, 7, 8}, DType::Int(32), 8),
            "[5, 6, 7, 8, 0, 0, 0, 0]");
}

constexpr char kRows[] =
    "            S = T.alloc_shared((64,), \"float16\")\n"
    "            r = T.alloc_local((2,), \"float16\")\n"
    "            S[t * 2] = T.Cast(\"float16\", t * 2)\n"
    "            S[t * 2 + 1] = T.Cast(\"float16\", t * 2 + 1)\n"
    "            T.cuda.cta_sync()\n"
    "            T.evaluate(T.ptx_ldmatrix(\"float16\", $0, 1, \".b16\", r.data, 0, S.data, $1))\n"
    "            Y[t] = T.Cast(\"int32\", r[0]) * 100 + T.Cast(\"int32\", r[1])\n";

std::string Rows(const std::string& transposed, const std::string& row, int threads = 32) {
  return Ran("X: T.Buffer((1,), \"int32\"), Y: T.Buffer((32,), \"int32\")", threads,
             absl::Substitute(kRows, transposed, row), {0}, DType::Int(32), 32);
}

// Lane 5 holds elements 2 and 3 of row 1, transposed rows 2 and 3 of column 1.
TEST(GpuCallTest, MatricesAreLoadedByRows) {
  EXPECT_THAT(Rows("False", "t % 8 * 8"), HasSubstr("[1, 203, 405, 607, 809, 1011, 1213, "));
  EXPECT_THAT(Rows("True", "t % 8 * 8"), HasSubstr("[8, 1624, 3240, 4856, 109, 1725, 3341, "));
  EXPECT_THAT(Rows("False", "t % 8 * 8 + 1"),
              HasSubstr("must start at a multiple of 16 bytes, got byte 2"));
  EXPECT_THAT(Rows("False", "t % 8 * 800"), HasSubstr("[run-out-of-bounds]"));
  EXPECT_THAT(Rows("False", "t % 8 * 8", 4), HasSubstr("all 32 threads of a warp"));
}

class MmaTest : public ::testing::TestWithParam<MmaProduct> {};

// Small whole numbers, of which every sum is exact.
TEST_P(MmaTest, IsTheProductOfTheMatrices) {
  const MmaProduct& p = GetParam();
  Program program(absl::StrCat(kGpuImports, "@I.ir_module\nclass Module:\n",
                               lathe::testing::MmaFunction("main", p)));
  const bool has_sign = *p.a != 'u';
  std::vector<double> a, b;
  for (int i = 0; i < p.m * p.k; ++i) a.push_back(i * 7 % 5 - (has_sign ? 2 : 0));
  for (int i = 0; i < p.k * p.n; ++i) b.push_back(i * 3 % 7);
  const auto matrix = [&](const char* name, int rows, int columns, const std::vector<double>& of) {
    return program.Of(*ir::ParseDType(lathe::testing::DTypeOf(name)), {rows, columns}, of);
  };
  const Value d = matrix(p.c, p.m, p.n, {});
  const absl::StatusOr<Value> value =
      program.RunValue({matrix(p.a, p.m, p.k, a), matrix(p.b, p.k, p.n, b), d});
  ASSERT_TRUE(value.ok()) << program.Errors();
  for (int i = 0; i < p.m; ++i) {
    for (int j = 0; j < p.n; ++j) {
      double sum = 1;
      for (int k = 0; k < p.k; ++k) {
        sum += a[static_cast<size_t>(i * p.k + k)] * b[static_cast<size_t>(k * p.n + j)];
      }
      EXPECT_EQ(d.AsTensor()->At(static_cast<uint64_t>(i * p.n + j)).AsDouble(), sum)
          << i << " " << j;
    }
  }
}

constexpr MmaProduct kProducts[] = {
    {16, 8, 8, "fp32", "fp16", "fp16"},     {16, 8, 16, "fp32", "fp16", "fp16"},
    {16, 8, 8, "fp16", "fp16", "fp16"},     {16, 8, 16, "fp16", "fp16", "fp16"},
    {16, 8, 8, "fp32", "bf16", "bf16"},     {16, 8, 16, "fp32", "bf16", "bf16"},
    {16, 8, 4, "fp32", "tf32", "tf32"},     {16, 8, 8, "fp32", "tf32", "tf32"},
    {8, 8, 4, "fp64", "fp64", "fp64"},      {8, 8, 16, "int32", "int8", "int8"},
    {8, 8, 16, "int32", "uint8", "int8"},   {16, 8, 16, "int32", "int8", "uint8"},
    {16, 8, 32, "int32", "uint8", "uint8"}, {8, 8, 32, "int32", "int4", "uint4"},
    {16, 8, 32, "int32", "uint4", "int4"},  {16, 8, 64, "int32", "int4", "int4"},
    {16, 8, 32, "fp32", "e4m3", "e5m2"},    {16, 8, 32, "fp32", "e5m2", "e4m3"}};
INSTANTIATE_TEST_SUITE_P(All, MmaTest, ::testing::ValuesIn(kProducts));

// Pairs of bits are put together, and those that are set are counted.
TEST(GpuCallTest, BitsAreCounted) {
  for (const char* op : {"xor", "and"}) {
    Program program(
        absl::StrCat(kGpuImports, "@I.ir_module\nclass Module:\n",
                     lathe::testing::MmaFunction("main", {16, 8, 256, "int32", "b1", "b1", op})));
    std::vector<double> a, b;
    for (uint32_t i = 0; i < 128; ++i) a.push_back(i * 2654435761u);
    for (uint32_t i = 0; i < 64; ++i) b.push_back(i * 1597334677u + 7);
    const Value d = program.Of(DType::Int(32), {16, 8}, {});
    ASSERT_TRUE(program
                    .RunValue({program.Of(DType::UInt(32), {16, 8}, a),
                               program.Of(DType::UInt(32), {8, 8}, b), d})
                    .ok())
        << program.Errors();
    for (size_t i = 0; i < 16; ++i) {
      for (size_t j = 0; j < 8; ++j) {
        int sum = 1;
        for (size_t k = 0; k < 8; ++k) {
          const auto x = static_cast<uint32_t>(a[i * 8 + k]),
                     y = static_cast<uint32_t>(b[k * 8 + j]);
          sum += std::popcount(*op == 'x' ? x ^ y : x & y);
        }
        EXPECT_EQ(d.AsTensor()->At(i * 8 + j).AsDouble(), sum) << op << i << " " << j;
      }
    }
  }
}

// Waiting for a phase that no thread can end is reported.
TEST(GpuCallTest, EndlessWaitIsReported) {
  for (const auto& [arrivals, said] :
       {std::pair("8", "[7, 6, 5, 4, 3, 2, 1, 0]"),
        std::pair("9", "thread 0 of its block waits forever: no thread can arrive")}) {
    const std::string body = absl::Substitute(
        "            bar = T.alloc_shared((1,), \"uint64\")\n"
        "            own = T.alloc_shared((8,), \"int32\")\n"
        "            if t == 0:\n"
        "                T.ptx.mbarrier.init(bar.data, $0)\n"
        "            T.tvm_storage_sync(\"shared\")\n"
        "            own[t] = X[t]\n"
        "            T.ptx.mbarrier.arrive(bar.data)\n"
        "            T.ptx.mbarrier.try_wait(bar.data, 0)\n"
        "            Y[t] = own[7 - t]\n",
        arrivals);
    EXPECT_THAT(Ran("X: T.Buffer((8,), \"int32\"), Y: T.Buffer((8,), \"int32\")", 8, body,
                    {0, 1, 2, 3, 4, 5, 6, 7}, DType::Int(32), 8),
                HasSubstr(said));
  }
}

// tf32 has a 10-bit fraction.
TEST(GpuCallTest, Tf32LeavesBitsOut) {
  Program program(
      absl::StrCat(kGpuImports, "@I.ir_module\nclass Module:\n",
                   lathe::testing::MmaFunction("main", {16, 8, 4, "fp32", "tf32", "tf32"})));
  const Value d = program.Floats({16, 8}, {});
  ASSERT_TRUE(program
                  .RunValue({program.Floats({16, 4}, std::vector<double>(64, 1 + 0x1p-11)),
                             program.Floats({4, 8}, std::vector<double>(32, 1)), d})
                  .ok());
  EXPECT_EQ(d.AsTensor()->At(0).AsDouble(), 5);
}

// What a block declares for all threads is each one's own where it is not said whose part is which.
TEST(GpuCallTest, RegistersArePrivateToThreads) {
  Program program(
      absl::StrCat(kGpuImports,
                   "@I.ir_module\nclass Module:\n    @T.prim_func\n"
                   "    def main(Y: T.Buffer((4, 2), \"int32\")):\n"
                   "        with T.sblock(\"root\"):\n"
                   "            own = T.sblock_alloc_buffer((2,), \"int32\", scope=\"local\")\n"
                   "            part = T.sblock_alloc_buffer((4,), \"int32\", scope=\"local\")\n"
                   "            for t in T.thread_binding(4, thread=\"threadIdx.x\"):\n"
                   "                own[0] = t\n"
                   "                own[1] = t * 10\n"
                   "                part[t] = t * 100\n"
                   "                T.tvm_storage_sync(\"shared\")\n"
                   "                for i in range(2):\n"
                   "                    Y[t, i] = own[i] + part[t]\n"));
  const Value y = program.Of(DType::Int(32), {4, 2}, {});
  ASSERT_TRUE(program.RunValue({y}).ok()) << program.Errors();
  EXPECT_EQ(ShowValue(y), "[[0, 0], [101, 110], [202, 220], [303, 330]]");
}

// Blocks, warps and lanes are told apart as their numbers say.
TEST(GpuCallTest, DeviceEntryStartsALaunch) {
  Program program(
      absl::StrCat(kGpuImports,
                   "@I.ir_module\nclass Module:\n    @T.prim_func\n"
                   "    def main(Y: T.Buffer((3, 64), \"int32\")):\n"
                   "        T.device_entry()\n"
                   "        b = T.cta_id([3])\n"
                   "        w = T.warp_id([2])\n"
                   "        l = T.lane_id([32])\n"
                   "        Y[b, w * 32 + l] = b * 1000 + w * 100 + T.cuda.warp_max(l)\n"));
  const Value y = program.Of(DType::Int(32), {3, 64}, {});
  ASSERT_TRUE(program.RunValue({y}).ok()) << program.Errors();
  EXPECT_EQ(y.AsTensor()->At(0).AsInt(), 31);
  EXPECT_EQ(y.AsTensor()->At(63).AsInt(), 131);
  EXPECT_EQ(y.AsTensor()->At(2 * 64 + 32).AsInt(), 2131);
}

TEST(GpuCallTest, RejectsUnknownInstructionsByName) {
  for (const char* value :
       {"T.cuda.clock64()", "T.ptx.exp2(T.float32(1))", "T.cuda.warp_reduce(X[t], \"product\")"}) {
    EXPECT_THAT(OfEight(absl::StrCat("T.Cast(\"int32\", ", value, ")")),
                AllOf(HasSubstr("cannot be evaluated by the interpreter; supported: "),
                      HasSubstr("'lathe ops --from cuda' lists")))
        << value;
  }
}

}  // namespace
}  // namespace lathe::interp
