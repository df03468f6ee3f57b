// Tests loops with known trip counts: the program does not grow with the count if the iterations
// have equal shapes, and the loop is unrolled otherwise.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/uniform_loop.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::kBool;
using testing::kFloat;
using testing::kInt64;
using testing::OnnxArgument;
using testing::OnnxGraph;
using testing::OnnxModel;
using testing::OnnxProgram;

constexpr int64_t kMany = kFewestUniformIterations + 3;

std::vector<double> Counted(int64_t count) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<double>(i));
  return numbers;
}

// "(count,): f(0) f(1) ..."
std::string Listed(int64_t count, const std::function<int64_t(int64_t)>& f) {
  std::string text = absl::StrCat("(", count, ",):");
  for (int64_t i = 0; i < count; ++i) absl::StrAppend(&text, " ", f(i));
  return text;
}

int64_t SumTo(int64_t i) { return i * (i + 1) / 2; }

OnnxGraph BodyWith(const std::string& state) {
  OnnxGraph body;
  body.Input("turn", kInt64, {});
  body.Input("go", kBool, {});
  body.Input(state, kFloat, {});
  return body;
}

// sum += rows[turn]; each = sum, without a declared shape.
OnnxGraph SumOfRows() {
  OnnxGraph body = BodyWith("sum");
  body.Node("Gather", {"rows", "turn"}, {"row"});
  body.Node("Add", {"sum", "row"}, {"next"});
  body.Node("Identity", {"go"}, {"go_on"});
  body.Output("go_on").Output("next").Output("next");
  return body;
}

OnnxModel SumsOf(int64_t trips) {
  OnnxModel m;
  m.Input("x", kFloat, {});
  m.Input("rows", kFloat, {trips});
  m.Ints("trips", {}, {trips});
  m.Node("Loop", {"trips", "", "x"}, {"last", "all"}, {{"body", SumOfRows()}});
  m.Output("last", kFloat, {}).Output("all", kFloat, {trips});
  return m;
}

int64_t LinesOf(const OnnxModel& m) {
  const std::string text = OnnxProgram(m.Bytes()).Text();
  return std::count(text.begin(), text.end(), '\n');
}

TEST(UniformLoopsTest, MatchUnrolledLoops) {
  for (int64_t trips : {kFewestUniformIterations - 1, kFewestUniformIterations, kMany}) {
    OnnxProgram program(SumsOf(trips).Bytes());
    EXPECT_EQ(program.Run({{{}, {5}}, {{trips}, Counted(trips)}}),
              absl::StrCat("(): ", 5 + SumTo(trips - 1), "; ",
                           Listed(trips, [](int64_t i) { return 5 + SumTo(i); })));
  }
}

TEST(UniformLoopsTest, DoNotGrowWithTheTripCount) {
  EXPECT_EQ(LinesOf(SumsOf(kMany)), LinesOf(SumsOf(4000)));
  EXPECT_LT(LinesOf(SumsOf(4000)), LinesOf(SumsOf(kFewestUniformIterations - 1)));
}

TEST(UniformLoopsTest, NestInEachOther) {
  const auto nested = [](int64_t trips) {
    OnnxGraph body = BodyWith("sum");
    body.Node("Loop", {"trips", "", "sum"}, {"next", "all"}, {{"body", SumOfRows()}});
    body.Node("Identity", {"go"}, {"go_on"});
    body.Output("go_on").Output("next").Output("all");
    OnnxModel m;
    m.Input("x", kFloat, {});
    m.Input("rows", kFloat, {trips});
    m.Ints("trips", {}, {trips});
    m.Node("Loop", {"trips", "", "x"}, {"last", "all"}, {{"body", body}});
    m.Node("ReduceMax", {"all"}, {"most"}, {{"keepdims", int64_t{0}}});
    m.Output("last", kFloat, {}).Output("most", kFloat, {});
    return m;
  };
  const std::string sum = absl::StrCat(kMany * SumTo(kMany - 1));
  EXPECT_EQ(OnnxProgram(nested(kMany).Bytes()).Run({{{}, {0}}, {{kMany}, Counted(kMany)}}),
            absl::StrCat("(): ", sum, "; (): ", sum));
  EXPECT_EQ(LinesOf(nested(kMany)), LinesOf(nested(1000)));
}

TEST(UniformLoopsTest, EndAtAConstantCondition) {
  OnnxGraph body = BodyWith("sum");
  body.Ints("most", {}, {kMany - 2});
  body.Node("Less", {"turn", "most"}, {"go_on"});
  body.Node("Add", {"sum", "x"}, {"next"});
  body.Output("go_on").Output("next");
  OnnxModel m;
  m.Input("x", kFloat, {});
  m.Ints("trips", {}, {kMany});
  m.Node("Loop", {"trips", "", "x"}, {"last"}, {{"body", body}});
  m.Output("last", kFloat, {});
  OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.Run({{{}, {1}}}), absl::StrCat("(): ", kMany));
}

TEST(UniformLoopsTest, UnrollsIfAStateGrows) {
  OnnxGraph body;
  body.Input("turn", kInt64, {});
  body.Input("go", kBool, {});
  body.Input("all", kFloat, {"k"});
  body.Node("Concat", {"all", "x"}, {"more"}, {{"axis", int64_t{0}}});
  body.Node("Identity", {"go"}, {"go_on"});
  body.Output("go_on").Output("more");
  OnnxModel m;
  m.Input("x", kFloat, {1});
  m.Ints("trips", {}, {kMany});
  m.Node("Loop", {"trips", "", "x"}, {"last"}, {{"body", body}});
  m.Output("last", kFloat, {kMany + 1});
  OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.Errors(), "");
  EXPECT_EQ(program.Run({{{1}, {7}}}), Listed(kMany + 1, [](int64_t) { return 7; }));
}

// The rows before `turn` have another length in each iteration.
TEST(UniformLoopsTest, UnrollsIfAShapeChanges) {
  OnnxGraph body = BodyWith("sum");
  body.Ints("zero", {1}, {0});
  body.Node("Unsqueeze", {"turn", "zero"}, {"end"});
  body.Node("Slice", {"rows", "zero", "end"}, {"before"});
  body.Node("ReduceSum", {"before"}, {"part"}, {{"keepdims", int64_t{0}}});
  body.Node("Add", {"sum", "part"}, {"next"});
  body.Node("Identity", {"go"}, {"go_on"});
  body.Output("go_on").Output("next").Output("part");
  OnnxModel m;
  m.Input("x", kFloat, {});
  m.Input("rows", kFloat, {kMany});
  m.Ints("trips", {}, {kMany});
  m.Node("Loop", {"trips", "", "x"}, {"last", "all"}, {{"body", body}});
  m.Output("last", kFloat, {}).Output("all", kFloat, {kMany});
  OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.Errors(), "");
  int64_t last = 0;
  for (int64_t i = 0; i < kMany; ++i) last += SumTo(i - 1);
  EXPECT_EQ(
      program.Run({{{}, {0}}, {{kMany}, Counted(kMany)}}),
      absl::StrCat("(): ", last, "; ", Listed(kMany, [](int64_t i) { return SumTo(i - 1); })));
}

TEST(UniformLoopsTest, TakeTripCountsFromDeclaredOutputs) {
  OnnxModel m;
  m.Input("trips", kInt64, {});
  m.Input("x", kFloat, {});
  m.Input("rows", kFloat, {kMany});
  m.Node("Loop", {"trips", "", "x"}, {"last", "all"}, {{"body", SumOfRows()}});
  m.Output("last", kFloat, {}).Output("all", kFloat, {kMany});
  const std::vector<OnnxArgument> tensors = {{{}, {0}}, {{kMany}, Counted(kMany)}};
  OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.Run({{{}, {double{kMany}}, "int64"}, tensors[0], tensors[1]}),
            absl::StrCat("(): ", SumTo(kMany - 1), "; ", Listed(kMany, SumTo)));
  EXPECT_THAT(program.Run({{{}, {double{kMany} - 1}, "int64"}, tensors[0], tensors[1]}),
              HasSubstr(absl::StrCat("turn ", kMany, " times, as declared")));
}

TEST(UniformLoopsTest, ScanBackwards) {
  OnnxGraph body;
  body.Input("sum", kFloat, {});
  body.Input("row", kFloat, {});
  body.Node("Add", {"sum", "row"}, {"next"});
  body.Output("next").Output("next");
  for (int64_t opset : {8, 21}) {
    OnnxModel m;
    m.opset = opset;
    const std::vector<testing::OnnxDim> batch(opset == 8 ? 1 : 0, int64_t{1});
    std::vector<testing::OnnxDim> all = batch;
    all.push_back(kMany);
    m.Input("x", kFloat, batch);
    m.Input("rows", kFloat, all);
    std::vector<std::string> inputs = {"x", "rows"};
    std::vector<testing::OnnxAttribute> attributes = {{"num_scan_inputs", int64_t{1}}};
    if (opset == 8) {
      inputs.insert(inputs.begin(), "");
      attributes.push_back({"directions", std::vector<int64_t>{1}});
    } else {
      attributes.push_back({"scan_input_directions", std::vector<int64_t>{1}});
      attributes.push_back({"scan_output_directions", std::vector<int64_t>{1}});
    }
    m.Node("Scan", inputs, {"last", "all"}, {{"body", body}}, attributes);
    m.Output("last").Output("all");
    OnnxProgram program(m.Bytes());
    const std::vector<int64_t> shape(opset == 8 ? 1 : 0, 1);
    std::vector<int64_t> rows = shape;
    rows.push_back(kMany);
    const std::string result = program.Run({{shape, {0}}, {rows, Counted(kMany)}});
    const auto sum = [](int64_t i) { return SumTo(kMany - 1) - SumTo(i - 1); };
    if (opset == 21) {
      EXPECT_EQ(result, absl::StrCat("(): ", sum(0), "; ", Listed(kMany, sum)));
    } else {
      EXPECT_THAT(result, HasSubstr(absl::StrCat("(1,): ", sum(0), "; (1, ", kMany, "): ")));
    }
  }
}

}  // namespace
}  // namespace lathe::onnx
