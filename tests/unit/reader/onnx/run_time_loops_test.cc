// Tests loops with a dynamic trip count, in the interpreter and as C.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::OnnxDim;
using testing::OnnxGraph;
using testing::OnnxModel;
using testing::OnnxProgram;

using testing::kBool;
using testing::kFloat;
using testing::kInt64;

// next = sum + x, while next < limit if there is a limit; next is also the scan output.
OnnxGraph Sums(bool limited, bool collects) {
  OnnxGraph body;
  body.Input("turn", kInt64, {});
  body.Input("go", kBool, {});
  body.Input("sum", kFloat, {2});
  body.Node("Add", {"sum", "x"}, {"next"});
  if (limited) {
    body.Ints("zero", {}, {0});
    body.Node("Gather", {"next", "zero"}, {"first"});
    body.Node("Less", {"first", "limit"}, {"go_on"});
  } else {
    body.Node("Identity", {"go"}, {"go_on"});
  }
  body.Output("go_on", kBool, {});
  body.Output("next", kFloat, {2});
  if (collects) {
    body.Node("Identity", {"next"}, {"each"});
    body.Output("each", kFloat, {2});
  }
  return body;
}

OnnxModel SumsOf(bool limited, bool collects, const std::string& trips) {
  OnnxModel m;
  if (trips == "turns") m.Input("given", kInt64, {});
  if (trips == "raw") m.Input("raw", kInt64, {});
  m.Input("x", kFloat, {2});
  if (limited) m.Floats("limit", {}, {5});
  if (trips == "endless") m.Ints("endless", {}, {INT64_MAX});
  if (trips == "turns") m.Node("Abs", {"given"}, {"turns"});  // for random inputs
  std::vector<std::string> results = {"last"};
  if (collects) results.push_back("all");
  m.Node("Loop", {trips, "", "x"}, results, {{"body", Sums(limited, collects)}});
  m.Output("last", kFloat, {2});
  if (collects) m.Output("all", kFloat, {"t", 2});
  return m;
}

// Compares the C of the model with the interpreter, for random inputs.
void CheckC(const OnnxModel& m) {
  const ScratchDirectory scratch;
  const std::string path = "model.onnx";
  ASSERT_TRUE(WriteFile(path, m.Bytes()).ok());
  for (int seed = 1; seed <= 3; ++seed) {
    const LatheRun run = RunLatheOn({"validate", path, "--data", absl::StrCat("random:seed=", seed),
                                     "--cflags", "-O0 -fsanitize=address,undefined"});
    EXPECT_EQ(run.exit, 0) << run.out << run.err;
  }
}

TEST(RunTimeLoopsTest, DynamicTripCount) {
  const OnnxModel m = SumsOf(false, true, "turns");
  OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.Run({{{}, {3}, "int64"}, {{2}, {1, 2}}}), "(2,): 4 8; (3, 2): 2 4 3 6 4 8");
  EXPECT_EQ(program.Run({{{}, {0}, "int64"}, {{2}, {1, 2}}}), "(2,): 1 2; (0, 2): ");
  CheckC(m);
}

TEST(RunTimeLoopsTest, NegativeTripCountsRunNoIteration) {
  OnnxProgram program(SumsOf(false, true, "raw").Bytes());
  EXPECT_EQ(program.Run({{{}, {1}, "int64"}, {{2}, {1, 2}}}), "(2,): 2 4; (1, 2): 2 4");
  EXPECT_THAT(program.Run({{{}, {-1}, "int64"}, {{2}, {1, 2}}}), HasSubstr("negative"));
}

TEST(RunTimeLoopsTest, EndEarly) {
  const OnnxModel m = SumsOf(true, true, "turns");
  OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.Run({{{}, {2}, "int64"}, {{2}, {1, 2}}}), "(2,): 3 6; (2, 2): 2 4 3 6");
  EXPECT_EQ(program.Run({{{}, {9}, "int64"}, {{2}, {1, 2}}}),
            "(2,): 5 10; (4, 2): 2 4 3 6 4 8 5 10");
  CheckC(m);
}

TEST(RunTimeLoopsTest, DynamicCondition) {
  for (const char* trips : {"", "endless"}) {
    OnnxProgram program(SumsOf(true, false, trips).Bytes());
    EXPECT_EQ(program.Run({{{2}, {1, 2}}}), "(2,): 5 10");
    EXPECT_EQ(program.Run({{{2}, {7, 2}}}), "(2,): 14 4");
  }
}

TEST(RunTimeLoopsTest, RejectsScanOutputsWithoutABound) {
  EXPECT_THAT(
      OnnxProgram(SumsOf(true, true, "").Bytes()).Errors(),
      HasSubstr(
          "'each' is a scan output without a bound of the trip count, which is not supported"));
}

TEST(RunTimeLoopsTest, KeepTheShapeOfTheirState) {
  OnnxGraph body;
  body.Input("turn", kInt64, {});
  body.Input("go", kBool, {});
  body.Input("all", kFloat, {"k"});
  body.Node("Identity", {"go"}, {"go_on"});
  body.Node("Concat", {"all", "x"}, {"more"}, {{"axis", int64_t{0}}});
  body.Output("go_on", kBool, {});
  body.Output("more", kFloat, {"k"});
  OnnxModel m;
  m.Input("turns", kInt64, {});
  m.Input("x", kFloat, {2});
  m.Node("Loop", {"turns", "", "x"}, {"y"}, {{"body", body}});
  m.Output("y", kFloat, {"k"});
  EXPECT_THAT(OnnxProgram(m.Bytes()).Errors(),
              HasSubstr("a loop-carried value changes its shape between iterations"));
}

// sum = state + row, and scan output sum * row, over the rows of an input.
TEST(RunTimeLoopsTest, ScanSequencesOfAnyLength) {
  OnnxGraph body;
  body.Input("state", kFloat, {2});
  body.Input("row", kFloat, {2});
  body.Node("Add", {"state", "row"}, {"sum"});
  body.Node("Mul", {"sum", "row"}, {"each"});
  body.Output("sum", kFloat, {2});
  body.Output("each", kFloat, {2});
  const auto scan = [&](bool backwards) {
    OnnxModel m;
    m.Input("x", kFloat, {2});
    m.Input("rows", kFloat, {"t", 2});
    std::vector<testing::OnnxAttribute> attributes = {{"num_scan_inputs", int64_t{1}}};
    if (backwards) {
      for (const char* name :
           {"scan_input_directions", "scan_output_directions", "scan_output_axes"}) {
        attributes.push_back({name, std::vector<int64_t>{1}});
      }
    }
    m.Node("Scan", {"x", "rows"}, {"last", "all"}, {{"body", body}}, attributes);
    m.Output("last", kFloat, {2});
    m.Output("all");
    return m;
  };
  OnnxProgram forwards(scan(false).Bytes());
  EXPECT_EQ(forwards.Run({{{2}, {0, 1}}, {{3, 2}, {1, 2, 3, 4, 5, 6}}}),
            "(2,): 9 13; (3, 2): 1 6 12 28 45 78");
  OnnxProgram backwards(scan(true).Bytes());
  EXPECT_EQ(backwards.Run({{{2}, {0, 1}}, {{3, 2}, {1, 2, 3, 4, 5, 6}}}),
            "(2,): 9 13; (2, 3): 9 24 25 26 44 42");
  CheckC(scan(false));
  CheckC(scan(true));
}

}  // namespace
}  // namespace lathe::onnx
