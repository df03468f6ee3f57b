// Tests GPU schedules with example programs, in the emulation.
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;

std::string ModelPath(const std::string& name) {
  return SourcePath(absl::StrCat("tests/cuda/models/", name, ".py"));
}

// Its files are in out/.
LatheRun CompileModel(const std::string& name, const std::string& gpus = "cuda:sm_80") {
  return RunLatheOn({"compile", ModelPath(name), "-t", gpus, "-n", "net", "-o", "out"});
}

size_t Count(const std::string& text, const std::string& part) {
  return std::vector<std::string>(absl::StrSplit(text, part)).size() - 1;
}

class CudaModelTest : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(CudaModelTest, ComputesTheSame) {
  const auto& [name, sizes] = GetParam();
  const LatheRun run = RunLatheOn({"validate", ModelPath(name), "--on", "cuda-emulation", "--data",
                                   absl::StrCat("random:seed=1", *sizes == 0 ? "" : ",", sizes)});
  EXPECT_EQ(run.exit, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("PASS"));
}

// No rows, and rows without elements; more sizes are with `ctest -C full`.
INSTANTIATE_TEST_SUITE_P(
    Models, CudaModelTest,
    ::testing::Values(
        std::pair("rows", "n=2,m=1025"), std::pair("rows", "n=0,m=0"),
        std::pair("searches", "n=3,m=33"), std::pair("long_rows", "m=3001"),
        std::pair("columns", "n=203,m=33"), std::pair("columns", "n=0,m=1"),
        std::pair("images", "n=2"), std::pair("wide", "n=3,m=33"),
        std::pair("transposes", "n=3,m=33"), std::pair("matrix_vectors", "n=33,k=130"),
        std::pair("split_depth", ""), std::pair("scans", "n=3,m=300"),
        std::pair("sorts", "n=3,m=131"), std::pair("attention", "b=2,n=7,m=33"),
        std::pair("attention", "b=1,n=65,m=33"), std::pair("attention_heads", ""),
        std::pair("moved_factors", "n=33,m=40"), std::pair("moved_factors", "n=0,m=3"),
        std::pair("data_sizes", "n=40"), std::pair("data_sizes", "n=0"),
        std::pair("callees", "n=3"), std::pair("run_products", "n=2,m=33,k=9"),
        std::pair("packed_elements", "n=3,m=5"), std::pair("returned_sizes", ""),
        std::pair("quantised", ""), std::pair("integer_products", "n=33"),
        std::pair("norms", "n=3"), std::pair("packed_loops", ""), std::pair("two_gpus", "n=33"),
        std::pair("two_gpus", "n=0"), std::pair("devices", "n=7"), std::pair("devices_more", "n=3"),
        std::pair("ordered_memory", "")));

// Functions that only read their memory, or write a row of their own, leave loops to threads.
TEST(CudaCalleesTest, CalleesAreInAHeaderAndCalledByThreads) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("callees");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(Count(*ReadFile("out/net_functions.h"), "/* PrimFunc "), 4u);
  const std::string text = *ReadFile("out/net_elementwise.cu");
  EXPECT_EQ(Count(text, "lathe_thread()"), 3u) << text;
  EXPECT_EQ(Count(text, "lathe_fail(failed, status_1);"), 2u);
  // Two rounds write into the same row.
  EXPECT_THAT(*ReadFile("out/net_serial.cu"), HasSubstr("net_spread(&C[i * 16], "));
}

// No two threads write one byte: they take groups of elements, rows of whole bytes, or all.
TEST(CudaPackedTest, ThreadsStoreWholeBytes) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("packed_elements");
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string each = *ReadFile("out/net_elementwise.cu");
  EXPECT_EQ(Count(each, "lathe_launch("), Count(each, "lathe_thread() * ")) << each;
  EXPECT_THAT(each, HasSubstr("first = lathe_thread() * 4;"));  // of 6 bits
  EXPECT_THAT(each, HasSubstr("first = lathe_thread() * 8;"));  // of 1 bit
  EXPECT_THAT(*ReadFile("out/net_serial.cu"), HasSubstr("net_cumsum("));
}

TEST(CudaMovedFactorsTest, TransposesOnlyContiguousBatches) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("moved_factors");
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string moves = *ReadFile("out/net_elementwise.cu");
  EXPECT_EQ(Count(moves, "/* relax.permute_dims */"), 2) << moves;
  EXPECT_EQ(Count(*ReadFile("out/net_products.cu"), "relax.permute_dims\n"), 6);
}

// Dynamic sizes of an output are reported in host memory.
TEST(CudaDataSizesTest, CallerProvidesMemoryAndGetsSizes) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("data_sizes");
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string header = *ReadFile("out/net.h");
  EXPECT_THAT(header, HasSubstr("float *twice; /* float32, as large as twice_shape says */\n"));
  EXPECT_THAT(header, HasSubstr("int64_t twice_capacity; /* capacity in elements"));
  EXPECT_THAT(header, HasSubstr("int64_t *twice_shape; /* NET_OUT_TWICE_SHAPE_LEN numbers, of the "
                                "host */\n"));
  EXPECT_THAT(header, HasSubstr("#define NET_CAPTURABLE 0\n"));
}

// Whatever an operator does along its rows is one launch, and leaves nothing in the workspace; but
// for the mean of one row of any length, and the variance of two long ones, which blocks share.
TEST(CudaRowsTest, AKernelIsOneLaunch) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("rows");
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string rows = *ReadFile("out/net_rows.cu");
  EXPECT_EQ(Count(rows, "lathe_launch("), 26u);
  EXPECT_EQ(Count(rows, "int net_launch_"), 22u);
  for (const char* other : {"elementwise", "reductions", "serial"}) {
    EXPECT_FALSE(ReadFile(absl::StrCat("out/net_", other, ".cu")).ok()) << other;
  }
  EXPECT_THAT(run.out, HasSubstr("workspace  1 024 B"));
}

// No thread has a column to itself. Whatever an operator does down them is one launch, but where
// blocks share them, of any length or of 3,001 elements.
TEST(CudaColumnsTest, ColumnKernelIsOneLaunchOrIsShared) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("columns");
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string rows = *ReadFile("out/net_rows.cu");
  EXPECT_EQ(Count(rows, "int net_launch_"), 24u);
  EXPECT_EQ(Count(rows, "lathe_launch("), 33u);
  EXPECT_EQ(Count(rows, "using Columns = "), 26u);
  EXPECT_EQ(Count(rows, "  const int32_t part = at / 24;"), 3u);
  EXPECT_EQ(Count(rows, "Columns::reduce_first<"), 2u);
  EXPECT_FALSE(ReadFile("out/net_reductions.cu").ok());
}

// Images with whole runs of channels are loaded by runs, with zeros outside their borders. Not so
// the first, of three channels, and one that comes as it is and goes as it is.
TEST(CudaImagesTest, ChannelsAreInnermostBetweenConvolutions) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("images");
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string text = *ReadFile("out/net_products.cu");
  EXPECT_EQ(Count(text, "lathe_sum_mma_tile<"), 4u);
  EXPECT_EQ(Count(text, " lathe_elements_along_"), 2u);
  EXPECT_EQ(Count(text, " : nullptr;"), 1u);
}

// The only other kernel transposes the vectors.
TEST(CudaVectorsTest, TeamsAndBlocksReadMatrices) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("matrix_vectors");
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string text = *ReadFile("out/net_products.cu");
  EXPECT_EQ(Count(text, "lathe_multiply_by_depth<"), 4u);
  EXPECT_EQ(Count(text, "lathe_multiply_contiguous_lines<"), 3u);
  for (const char* other : {"rows", "reductions", "serial"}) {
    EXPECT_FALSE(ReadFile(absl::StrCat("out/net_", other, ".cu")).ok()) << other;
  }
}

// Each product is two launches, of which the first one leaves parts in the workspace.
TEST(CudaSplitTest, BlocksShareFewSumsOfALongDepth) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("split_depth");
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string text = *ReadFile("out/net_products.cu");
  EXPECT_EQ(Count(text, "lathe_launch("), 12u);
  EXPECT_EQ(Count(text, " first = part * "), 6u);
  EXPECT_EQ(Count(text, "lathe_sum_tile<"), 2u);
  EXPECT_EQ(Count(text, "lathe_sum_mma_tile<"), 2u);
  EXPECT_EQ(Count(text, "lathe_multiply_by_depth<"), 1u);
  EXPECT_EQ(Count(text, "lathe_multiply_contiguous_lines<"), 1u);
}

// All but that of columns, each of which is a thread's own.
// Normalisations that are several operators are a launch each, also of one image; what is taken
// from a table is a grid of elements, and its rows are summed up by teams.
TEST(CudaNormsTest, RowStepsAreOneLaunch) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("norms");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(Count(*ReadFile("out/net_rows.cu"), "lathe_launch("), 3u);
  EXPECT_FALSE(ReadFile("out/net_reductions.cu").ok());
  EXPECT_THAT(*ReadFile("out/net_elementwise.cu"),
              HasSubstr("/* lv10 = relax.take\n * e = relax.add */"));
}

// With dynamic zero points, tensor cores still multiply 8-bit factors.
TEST(CudaQuantisedTest, ProductsOfNarrowTypesStayNarrow) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("integer_products");
  ASSERT_EQ(run.exit, 0) << run.err;
  // Long lines are wrapped.
  const std::string products =
      absl::StrReplaceAll(*ReadFile("out/net_products.cu"), {{",\n        ", ", "}});
  EXPECT_EQ(Count(products, "<lathe_s8_cores, 32, "), 3u) << products;
  EXPECT_EQ(Count(products, "const int8_t *weights"), 6u) << products;
}

// No kernel is left to one thread; convolutions of uint8 too are for tensor cores, and what is done
// to their sums is done as they are stored.
TEST(CudaQuantisedTest, IntegerProductsAreDistributed) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("quantised");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_FALSE(ReadFile("out/net_serial.cu").ok());
  const std::string products = *ReadFile("out/net_products.cu");
  EXPECT_EQ(Count(products, "<lathe_s8_cores, "), 3u) << products;
  EXPECT_THAT(products, HasSubstr(" * q3 = requantize\n * q4 = add */"));
  EXPECT_THAT(*ReadFile("out/net_reductions.cu"), HasSubstr(" * q2 = requantize */"));
}

TEST(CudaScanTest, TeamsScanRowsOnce) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("scans");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(Count(*ReadFile("out/net_rows.cu"), "  lathe_scan_row<"), 7u);
  EXPECT_EQ(Count(*ReadFile("out/net_reductions.cu"), "lathe_launch("), 1u);
}

// No kernel counts the preceding elements; each position reads its own element at once.
TEST(CudaSortTest, BlocksPutRowsInOrder) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("sorts");
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string text = *ReadFile("out/net_rows.cu");
  EXPECT_EQ(Count(text, "  lathe_sort_short_row<"), 7u);
  EXPECT_EQ(Count(text, "  lathe_sort_row<"), 4u);
  EXPECT_EQ(Count(text, "lathe_fail("), 0u);
  EXPECT_FALSE(ReadFile("out/net_reductions.cu").ok());
  EXPECT_FALSE(ReadFile("out/net_serial.cu").ok());
}

// Each of its operators moves several elements at once, and none takes an index apart for less.
TEST(CudaWideTest, AdjacentElementsAreVectorAccesses) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("wide");
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string text = *ReadFile("out/net_elementwise.cu");
  EXPECT_EQ(Count(text, "lathe_launch("), 7u);
  EXPECT_EQ(Count(text, "lathe_write("), 7u);
  EXPECT_THAT(text, HasSubstr("lathe_read(x1_8, &x1["));  // 8 of float16
}

// All but that of three channels, which would leave most of a tile empty, and an addition.
TEST(CudaTransposeTest, TransposesThroughSharedMemory) {
  const ScratchDirectory scratch;
  const LatheRun run = CompileModel("transposes");
  ASSERT_EQ(run.exit, 0) << run.err;
  const std::string text = *ReadFile("out/net_elementwise.cu");
  EXPECT_EQ(Count(text, "lathe_launch("), 6u);
  EXPECT_EQ(Count(text, "__shared__"), 4u);
  EXPECT_EQ(Count(text, "__syncthreads();"), 8u);
}

// Large tiles of small matrices; k = 9 leaves one factor's lines where no map can take them.
TEST(CudaHopperTest, ProductsByGroupsOfWarpsComputeTheSame) {
  for (const char* sizes : {"n=66,m=3,k=8", "n=66,m=2,k=9"}) {
    const LatheRun run =
        RunLatheOn({"validate", ModelPath("hopper_products"), "--on", "cuda-emulation", "-t",
                    "cuda:sm_90a", "--data", absl::StrCat("random:seed=1,", sizes)});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("PASS"));
  }
}

// Both products, and one of bytes, prefer two tiles over all others.
TEST(CudaHopperTest, ProductsByGroupsOfWarpsComeFirst) {
  const ScratchDirectory scratch;
  for (const auto& [name, products] :
       {std::pair("hopper_products", 2u), std::pair("hopper_pixels", 1u)}) {
    const LatheRun run = CompileModel(name, "cuda:sm_80,sm_90a");
    ASSERT_EQ(run.exit, 0) << run.err;
    const std::string text = *ReadFile("out/net_products.cu");
    EXPECT_EQ(Count(text, "lathe_launch_wgmma<"), 2 * products) << name;
    EXPECT_EQ(Count(text, "if (status == LATHE_NOT_TAKEN) {"), products) << name;
    EXPECT_EQ(Count(text, "lathe_sum_wgmma_tiles<"), products) << name;
  }
}

// No score waits in the workspace, which has nothing to hold.
TEST(CudaAttentionTest, ScoresAreNotStored) {
  for (const auto& [name, launches] :
       {std::pair("attention", 5u), std::pair("attention_heads", 10u)}) {
    const ScratchDirectory scratch;
    const LatheRun run = CompileModel(name);
    ASSERT_EQ(run.exit, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("workspace  0 B  (lower bound 0)\n"));
    EXPECT_EQ(Count(*ReadFile("out/net_attention.cu"), "lathe_launch("), launches);
    for (const char* other : {"elementwise", "rows", "reductions", "serial", "products"}) {
      EXPECT_FALSE(ReadFile(absl::StrCat("out/net_", other, ".cu")).ok()) << other;
    }
  }
}

}  // namespace
}  // namespace lathe
