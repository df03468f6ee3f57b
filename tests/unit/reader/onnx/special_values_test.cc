// Tests infinities, NaN, large integers and sizes 0 and 1 in operators of ONNX.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using testing::kFloat;
using testing::kInt32;
using testing::kInt64;
using testing::OnnxArgument;
using testing::OnnxAttribute;
using testing::OnnxModel;
using testing::OnnxProgram;

// Runs one node, whose inputs are inputs of the model.
std::string SpecialResult(const std::string& op, const std::vector<OnnxArgument>& inputs, int type,
                          const std::vector<OnnxAttribute>& attributes = {}, int outputs = 1) {
  OnnxModel m;
  std::vector<std::string> names, results;
  for (const OnnxArgument& input : inputs) {
    names.push_back("x" + std::to_string(names.size()));
    m.Input(names.back(), type, {input.shape.begin(), input.shape.end()});
  }
  for (int k = 0; k < outputs; ++k) results.push_back("y" + std::to_string(k));
  m.Node(op, names, results, attributes);
  for (const std::string& name : results) m.Output(name);
  return OnnxProgram(m.Bytes()).Run(inputs);
}

TEST(SpecialValuesTest, NanIsTheLastOfTheDifferentValues) {
  const OnnxArgument x = {{6}, {2, NAN, 1, 3, NAN, 3}};
  EXPECT_EQ(SpecialResult("Unique", {x}, kFloat, {}, 4),
            "(4,): 1 2 3 nan; (4,): 2 0 3 1; (6,): 1 3 0 2 3 2; (4,): 1 1 2 2");
  EXPECT_EQ(SpecialResult("Unique", {x}, kFloat, {{"sorted", int64_t{0}}}, 4),
            "(4,): 2 nan 1 3; (4,): 0 1 2 3; (6,): 0 1 2 3 1 3; (4,): 1 2 1 2");
  const OnnxArgument rows = {{3, 2}, {NAN, 1, 0, 2, NAN, 1}};
  EXPECT_EQ(SpecialResult("Unique", {rows}, kFloat, {{"axis", int64_t{0}}}), "(2, 2): 0 2 nan 1");
}

TEST(SpecialValuesTest, SumsOfExponentialsOfInfinities) {
  const OnnxArgument x = {{4, 2}, {INFINITY, 1, -INFINITY, -INFINITY, -INFINITY, 0, NAN, 1}};
  const OnnxAttribute keep = {"keepdims", int64_t{0}};
  OnnxModel m;
  m.Input("x", kFloat, {int64_t{4}, int64_t{2}}).Ints("axes", {1}, {1});
  m.Node("ReduceLogSumExp", {"x", "axes"}, {"y"}, {keep});
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({x}), "(4,): inf -inf 0 nan");
  OnnxModel late;
  late.Input("x", kFloat, {int64_t{4}, int64_t{2}}).Input("axes", kInt64, {int64_t{1}});
  late.Node("ReduceLogSumExp", {"x", "axes"}, {"y"}, {keep});
  late.Output("y", kFloat, {int64_t{4}});
  EXPECT_EQ(OnnxProgram(late.Bytes()).Run({x, {{1}, {1}, "int64"}}), "(4,): inf -inf 0 nan");
}

TEST(SpecialValuesTest, FactorsOfIntegersAreReals) {
  const OnnxArgument a = {{1, 3}, {1, 1, 1}, "int32"}, b = {{3, 1}, {1, 1, 1}, "int32"};
  const OnnxArgument c = {{1}, {1}, "int32"};
  const OnnxAttribute half = {"alpha", 0.5F}, more = {"beta", 1.5F};
  EXPECT_EQ(SpecialResult("Gemm", {a, b, c}, kInt32, {half, more}), "(1, 1): 3");
  EXPECT_EQ(SpecialResult("Gemm", {a, b}, kInt32, {half, more}), "(1, 1): 1");
  EXPECT_EQ(SpecialResult("Gemm", {a, b, c}, kInt32), "(1, 1): 4");
}

TEST(SpecialValuesTest, RangesOfLargeIntegers) {
  const int64_t begin = int64_t{1} << 53;
  const auto range = [&](int64_t first, int64_t last, int64_t by, bool known) {
    OnnxModel m;
    std::vector<OnnxArgument> inputs;
    const char* const names[] = {"a", "b", "c"};
    const int64_t values[] = {first, last, by};
    for (int i = 0; i < 3; ++i) {
      if (known) {
        m.Ints(names[i], {}, {values[i]});
      } else {
        // Doubles of the test hold the bits up to 2^53; the node adds the rest.
        m.Input(std::string(names[i]) + "x", kInt64, {});
        m.Ints(std::string(names[i]) + "o", {}, {values[i] - values[i] / 2});
        m.Node("Add", {std::string(names[i]) + "x", std::string(names[i]) + "o"}, {names[i]});
        inputs.push_back({{}, {static_cast<double>(values[i] / 2)}, "int64"});
      }
    }
    m.Node("Range", {"a", "b", "c"}, {"y"});
    m.Node("Shape", {"y"}, {"n"});
    m.Output("n");
    return OnnxProgram(m.Bytes()).Run(inputs);
  };
  for (const bool known : {true, false}) {
    EXPECT_EQ(range(begin, begin + 5, 2, known), "(1,): 3") << known;
    EXPECT_EQ(range(begin + 5, begin, -2, known), "(1,): 3") << known;
    EXPECT_EQ(range(begin, begin + 4, 2, known), "(1,): 2") << known;
    EXPECT_EQ(range(begin, begin - 1, 1, known), "(1,): 0") << known;
    EXPECT_EQ(range(-3, 4, 3, known), "(1,): 3") << known;
  }
}

TEST(SpecialValuesTest, ScaleOfZeros) {
  EXPECT_EQ(SpecialResult("DynamicQuantizeLinear", {{{2}, {0, 0}}}, kFloat, {}, 3),
            "(2,): 0 0; (): 1; (): 0");
}

TEST(SpecialValuesTest, ScalarsHaveNoIndices) {
  EXPECT_EQ(SpecialResult("NonZero", {{{}, {3}}}, kFloat), "(0, 1): ");
  EXPECT_EQ(SpecialResult("NonZero", {{{}, {0}}}, kFloat), "(0, 0): ");
}

// The last of the equal parts of an axis is smaller, and may be empty.
TEST(SpecialValuesTest, EqualPartsOfADynamicAxis) {
  const auto parts = [](int64_t size) {
    OnnxModel m;
    m.Input("x", kFloat, {"n"});
    m.Node("Split", {"x"}, {"a", "b", "c"}, {{"num_outputs", int64_t{3}}});
    m.Output("a").Output("b").Output("c");
    OnnxArgument x = {{size}, {}};
    for (int64_t i = 0; i < size; ++i) x.elements.push_back(static_cast<double>(i));
    return OnnxProgram(m.Bytes()).Run({x});
  };
  EXPECT_EQ(parts(6), "(2,): 0 1; (2,): 2 3; (2,): 4 5");
  EXPECT_EQ(parts(7), "(3,): 0 1 2; (3,): 3 4 5; (1,): 6");
  EXPECT_EQ(parts(4), "(2,): 0 1; (2,): 2 3; (0,): ");
  EXPECT_EQ(parts(1), "(1,): 0; (0,): ; (0,): ");
  EXPECT_EQ(parts(0), "(0,): ; (0,): ; (0,): ");
}

TEST(SpecialValuesTest, ChoosesStrings) {
  OnnxModel m;
  m.Input("c", testing::kBool, {int64_t{2}});
  m.Node("Constant", {}, {"a"}, {{"value_strings", std::vector<std::string>{"12", "3"}}});
  m.Node("Constant", {}, {"b"}, {{"value_strings", std::vector<std::string>{"456"}}});
  m.Node("Where", {"c", "a", "b"}, {"s"});
  m.Node("Cast", {"s"}, {"y"}, {{"to", int64_t{kInt32}}});
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{2}, {1, 0}, "bool"}}), "(2,): 12 456");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{2}, {0, 1}, "bool"}}), "(2,): 456 3");
}

TEST(SpecialValuesTest, ExtremesOfNan) {
  const OnnxArgument a = {{4}, {NAN, 2, NAN, INFINITY}}, b = {{4}, {1, NAN, NAN, 3}};
  EXPECT_EQ(SpecialResult("Max", {a, b}, kFloat), "(4,): nan nan nan inf");
  EXPECT_EQ(SpecialResult("Min", {a, b}, kFloat), "(4,): nan nan nan 3");
  const OnnxArgument low = {{}, {1}}, high = {{}, {2}};
  EXPECT_EQ(SpecialResult("Clip", {a, low, high}, kFloat), "(4,): nan 2 nan 2");
  for (const char* op : {"Max", "Min"}) {
    OnnxModel m;
    m.Input("x", kFloat, {4}).Floats("c", {}, {2});
    m.Node(op, {"x", "c"}, {"y"}).Node(op, {"c", "x"}, {"z"}).Output("y").Output("z");
    const std::string one = op == std::string("Max") ? "(4,): nan 2 nan inf" : "(4,): nan 2 nan 2";
    EXPECT_EQ(OnnxProgram(m.Bytes()).Run({a}), one + "; " + one);
  }
}

TEST(SpecialValuesTest, ScoresThatAreNanAreNotSelected) {
  OnnxModel m;
  m.Input("boxes", kFloat, {1, 3, 4}).Input("scores", kFloat, {1, 1, 3});
  m.Ints("count", {}, {3}).Floats("share", {}, {0.5}).Floats("least", {}, {0});
  m.Node("NonMaxSuppression", {"boxes", "scores", "count", "share", "least"}, {"y"}).Output("y");
  const OnnxArgument boxes = {{1, 3, 4}, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}};
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({boxes, {{1, 1, 3}, {NAN, 0.25, NAN}}}), "(1, 3): 0 0 1");
}

TEST(SpecialValuesTest, PowersOfIntegersAreExact) {
  const OnnxArgument x = {{4}, {3, -2, 2, -1}, "int64"}, n = {{4}, {39, 63, -1, -3}, "int64"};
  EXPECT_EQ(SpecialResult("Pow", {x, n}, kInt64),
            "(4,): 4052555153018976267 -9223372036854775808 0 -1");
  const OnnxArgument y = {{2}, {3, 7}, "int32"}, k = {{2}, {24, 2}, "int32"};
  EXPECT_EQ(SpecialResult("Pow", {y, k}, kInt32), "(2,): -1038305055 49");
}

}  // namespace
}  // namespace lathe::onnx
