// Tests programs that use tensor core instructions, in the emulation with its own layouts.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/mma_program.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::lathe::testing::DTypeOf;
using ::lathe::testing::MmaProduct;
using ::testing::HasSubstr;

constexpr MmaProduct kProducts[] = {
    {16, 8, 8, "fp32", "fp16", "fp16"},       {16, 8, 16, "fp32", "fp16", "fp16"},
    {16, 8, 8, "fp16", "fp16", "fp16"},       {16, 8, 16, "fp16", "fp16", "fp16"},
    {16, 8, 8, "fp32", "bf16", "bf16"},       {16, 8, 16, "fp32", "bf16", "bf16"},
    {16, 8, 4, "fp32", "tf32", "tf32"},       {16, 8, 8, "fp32", "tf32", "tf32"},
    {8, 8, 4, "fp64", "fp64", "fp64"},        {8, 8, 16, "int32", "int8", "int8"},
    {8, 8, 16, "int32", "int8", "uint8"},     {8, 8, 16, "int32", "uint8", "int8"},
    {8, 8, 16, "int32", "uint8", "uint8"},    {16, 8, 16, "int32", "int8", "int8"},
    {16, 8, 16, "int32", "int8", "uint8"},    {16, 8, 16, "int32", "uint8", "int8"},
    {16, 8, 16, "int32", "uint8", "uint8"},   {16, 8, 32, "int32", "int8", "int8"},
    {16, 8, 32, "int32", "int8", "uint8"},    {16, 8, 32, "int32", "uint8", "int8"},
    {16, 8, 32, "int32", "uint8", "uint8"},   {8, 8, 32, "int32", "int4", "int4"},
    {8, 8, 32, "int32", "int4", "uint4"},     {8, 8, 32, "int32", "uint4", "int4"},
    {8, 8, 32, "int32", "uint4", "uint4"},    {16, 8, 32, "int32", "int4", "int4"},
    {16, 8, 32, "int32", "int4", "uint4"},    {16, 8, 32, "int32", "uint4", "int4"},
    {16, 8, 32, "int32", "uint4", "uint4"},   {16, 8, 64, "int32", "int4", "int4"},
    {16, 8, 64, "int32", "int4", "uint4"},    {16, 8, 64, "int32", "uint4", "int4"},
    {16, 8, 64, "int32", "uint4", "uint4"},   {8, 8, 128, "int32", "b1", "b1", "xor"},
    {8, 8, 128, "int32", "b1", "b1", "and"},  {16, 8, 128, "int32", "b1", "b1", "xor"},
    {16, 8, 128, "int32", "b1", "b1", "and"}, {16, 8, 256, "int32", "b1", "b1", "xor"},
    {16, 8, 256, "int32", "b1", "b1", "and"}, {16, 8, 32, "fp32", "e4m3", "e4m3"},
    {16, 8, 32, "fp32", "e4m3", "e5m2"},      {16, 8, 32, "fp32", "e5m2", "e4m3"},
    {16, 8, 32, "fp32", "e5m2", "e5m2"}};

std::string AllProducts() {
  std::string functions, params, calls, names;
  int number = 0;
  for (const MmaProduct& p : kProducts) {
    const std::string name = absl::StrCat("product", number), a = absl::StrCat("a", number),
                      b = absl::StrCat("b", number), d = absl::StrCat("d", number);
    absl::StrAppend(&functions, testing::MmaFunction(name, p), "\n");
    absl::StrAppend(&params, number == 0 ? "" : ", ", a, ": R.Tensor((", p.m, ", ",
                    testing::DepthOf(p), "), \"", DTypeOf(p.a), "\"), ", b, ": R.Tensor((",
                    testing::DepthOf(p), ", ", p.n, "), \"", DTypeOf(p.b), "\")");
    absl::StrAppend(&calls, "        ", d, " = R.call_tir(Module.", name, ", (", a, ", ", b,
                    "), out_sinfo=R.Tensor((", p.m, ", ", p.n, "), \"", DTypeOf(p.c), "\"))\n");
    absl::StrAppend(&names, number == 0 ? "" : ", ", d);
    ++number;
  }
  return absl::StrCat(
      "from tvm.script import ir as I, relax as R, tirx as T\n\n@I.ir_module\nclass "
      "Module:\n",
      functions, "    @R.function\n    def main(", params, "):\n", calls, "        return (", names,
      ")\n");
}

std::string MatricesModel(const std::string& name) {
  return *ReadFile(SourcePath(absl::StrCat("tests/cuda/models/", name, ".py")));
}

LatheRun ValidateMatrices(const std::string& program, const std::string& target = "cuda:sm_80") {
  EXPECT_TRUE(WriteFile("model.py", program).ok());
  return RunLatheOn(
      {"validate", "model.py", "--on", "cuda-emulation", "--data", "random:seed=1", "-t", target});
}

TEST(CudaMatricesTest, EveryFormComputesTheSame) {
  const ScratchDirectory scratch;
  const LatheRun run = ValidateMatrices(AllProducts(), "cuda:sm_89");
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("PASS"));
}

TEST(CudaMatricesTest, TilesComputeTheSame) {
  for (const char* name :
       {"tensor_core_tiles", "tensor_core_registers", "told_by_threads", "device_entry"}) {
    const ScratchDirectory scratch;
    const LatheRun run = ValidateMatrices(MatricesModel(name));
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("PASS"));
  }
}

TEST(CudaMatricesTest, HopperInstructionsComputeTheSame) {
  for (const auto& [name, target] :
       {std::pair("own_barriers", "cuda:sm_80"), std::pair("bulk_copies", "cuda:sm_90a")}) {
    const ScratchDirectory scratch;
    const LatheRun run = ValidateMatrices(MatricesModel(name), target);
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("PASS")) << name;
  }
}

TEST(CudaMatricesTest, RejectsOlderGpus) {
  const ScratchDirectory scratch;
  const LatheRun run = ValidateMatrices(MatricesModel("bulk_copies"), "cuda:sm_86,sm_89,sm_120");
  EXPECT_EQ(run.exit, 3) << run.out;
  EXPECT_THAT(run.err, HasSubstr("which sm_86, sm_89 do not have; supported: GPUs that have it, "
                                 "sm_90a, sm_100, sm_120 [cannot-emit]"));
}

struct Fault {
  const char* line;  // that is left out, the first of them
  const char* found;
};

// What the program forgets is found, though all numbers may be right.
TEST(CudaMatricesTest, FindsMissingSynchronization) {
  constexpr Fault kFaults[] = {
      {"                        T.evaluate(T.ptx_wait_group(0))\n", "where a copy is incomplete"},
      {"                        T.evaluate(T.ptx_commit_group())\n", "where a copy is incomplete"},
      {"                        T.tvm_storage_sync(\"shared\")\n", "race"},
  };
  for (const Fault& fault : kFaults) {
    const ScratchDirectory scratch;
    std::string program = MatricesModel("tensor_core_tiles");
    const size_t at = program.find(fault.line);
    ASSERT_NE(at, std::string::npos) << fault.line;
    const LatheRun run = ValidateMatrices(program.erase(at, std::string(fault.line).size()));
    EXPECT_EQ(run.exit, 6) << run.out;
    EXPECT_THAT(run.err, HasSubstr(fault.found)) << fault.line;
  }
}

struct BarrierFault {
  const char* model;
  const char* was;
  const char* becomes;
  const char* found;  // by the emulation
};

TEST(CudaMatricesTest, FindsMissingBarriers) {
  constexpr BarrierFault kFaults[] = {
      {"own_barriers",
       "                tile[k % 2, lane] = X[k, lane] * T.float32(2)\n"
       "                T.ptx.mbarrier.arrive.shared.b64(full.ptr_to([k % 2]))\n",
       "                T.ptx.mbarrier.arrive.shared.b64(full.ptr_to([k % 2]))\n"
       "                tile[k % 2, lane] = X[k, lane] * T.float32(2)\n",
       "race"},
      {"bulk_copies", "        T.cuda.mbarrier_wait(bar.data, 0)\n", "",
       "incomplete: it was not waited for"},
      {"bulk_copies", "            T.ptx.fence.mbarrier_init.release.cluster()\n", "",
       "without a fence since its initialization"},
  };
  for (const BarrierFault& fault : kFaults) {
    const ScratchDirectory scratch;
    std::string program = MatricesModel(fault.model);
    const size_t at = program.find(fault.was);
    ASSERT_NE(at, std::string::npos) << fault.was;
    const LatheRun run = ValidateMatrices(
        program.replace(at, std::string(fault.was).size(), fault.becomes), "cuda:sm_90a");
    EXPECT_NE(run.exit, 0) << fault.was;
    EXPECT_THAT(run.out + run.err, HasSubstr(fault.found)) << fault.was;
  }
}

}  // namespace
}  // namespace lathe
