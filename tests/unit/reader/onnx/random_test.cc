// Compares random operators with the numbers of MT19937 for a seed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::OnnxModel;
using testing::OnnxProgram;
using List = std::vector<int64_t>;

using testing::kBool;
using testing::kFloat;

// The result of numpy.random.RandomState(7).uniform(0, 1, 4).
TEST(OnnxRandomTest, UniformNumbersMatchTheMersenneTwister) {
  OnnxModel m;
  m.Node("RandomUniform", {}, {"y"}, {{"shape", List{2, 2}}, {"seed", 7.0F}});
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({}), "(2, 2): 0.07630829 0.7799188 0.43840924 0.7234652");
}

TEST(OnnxRandomTest, BeyondTheFirst624WordsToo) {
  OnnxModel m;
  m.Input("x", kFloat, {1000});
  m.Node("RandomUniformLike", {"x"}, {"u"}, {{"seed", 7.0F}, {"low", 10.0F}, {"high", 20.0F}});
  m.Ints("at", {2}, {400, 999});
  m.Node("Gather", {"u", "at"}, {"y"});
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{1000}, std::vector<double>(1000)}}),
            "(2,): 18.070553 10.164488");
}

TEST(OnnxRandomTest, NormalNumbersHaveTheirMeanAndDeviation) {
  OnnxModel m;
  m.Node("RandomNormal", {}, {"x"},
         {{"shape", List{20000}}, {"mean", 3.0F}, {"scale", 0.5F}, {"seed", 1.0F}});
  m.Node("ReduceMean", {"x"}, {"mean"}, {{"keepdims", int64_t{0}}});
  m.Node("Sub", {"x", "mean"}, {"off"});
  m.Node("Mul", {"off", "off"}, {"square"});
  m.Node("ReduceMean", {"square"}, {"variance"}, {{"keepdims", int64_t{0}}});
  m.Output("mean");
  m.Output("variance");
  const std::string got = OnnxProgram(m.Bytes()).Run({});
  double mean = 0, variance = 0;
  ASSERT_EQ(std::sscanf(got.c_str(), "(): %lf; (): %lf", &mean, &variance), 2) << got;
  EXPECT_NEAR(mean, 3, 0.02);
  EXPECT_NEAR(variance, 0.25, 0.01);
}

TEST(OnnxRandomTest, BernoulliHasTheProbabilityOfItsInput) {
  OnnxModel m;
  m.Input("x", kFloat, {4});
  m.Node("Bernoulli", {"x"}, {"y"}, {{"seed", 7.0F}});
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{4}, {0, 1, 0.43, 0.73}}}), "(4,): 0 1 0 1");
}

// The same four numbers choose among classes with the probabilities 1/2, 1/4, 1/4.
TEST(OnnxRandomTest, MultinomialHasTheProbabilitiesOfItsInput) {
  for (const int type : {testing::kInt32, testing::kInt64}) {
    OnnxModel m;
    m.Input("x", kFloat, {"n", int64_t{3}});
    m.Node("Multinomial", {"x"}, {"y"},
           {{"seed", 7.0F}, {"sample_size", int64_t{2}}, {"dtype", int64_t{type}}});
    m.Output("y");
    const double two = 0.6931471805599453;
    EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{2, 3}, {two, 0, 0, two + 9, 9, 9}}}),
              "(2, 2): 0 2 0 1");
  }
}

TEST(OnnxRandomTest, MultinomialNeverChoosesAClassWithoutProbability) {
  OnnxModel m;
  m.Input("x", kFloat, {int64_t{1}, int64_t{3}});
  m.Node("Multinomial", {"x"}, {"y"}, {{"seed", 7.0F}, {"sample_size", int64_t{4}}});
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{1, 3}, {-INFINITY, 0, -INFINITY}}}), "(1, 4): 1 1 1 1");
  OnnxModel none;
  none.Input("x", kFloat, {int64_t{1}, "k"});
  none.Node("Multinomial", {"x"}, {"y"}).Output("y");
  EXPECT_THAT(OnnxProgram(none.Bytes()).Run({{{1, 0}, {}}}), HasSubstr("at least one class"));
}

// Draws 0.076, 0.780, 0.438, 0.723; those below the ratio are dropped.
TEST(OnnxRandomTest, DropsInTrainingAlone) {
  OnnxModel m;
  m.Input("x", kFloat, {4});
  m.Input("ratio", kFloat, {});
  m.Input("trains", kBool, {});
  m.Node("Dropout", {"x", "ratio", "trains"}, {"y", "kept"}, {{"seed", int64_t{7}}});
  m.Output("y");
  m.Output("kept");
  OnnxProgram program(m.Bytes());
  const auto run = [&](double ratio, double trains) {
    return program.Run({{{4}, {1, 2, 3, 4}}, {{}, {ratio}}, {{}, {trains}, "bool"}});
  };
  EXPECT_EQ(run(0.5, 1), "(4,): 0 4 0 8; (4,): False True False True");
  EXPECT_EQ(run(0, 1), "(4,): 1 2 3 4; (4,): True True True True");
  EXPECT_EQ(run(0.5, 0), "(4,): 1 2 3 4; (4,): True True True True");
  EXPECT_THAT(run(1, 1), HasSubstr("Dropout needs a ratio from 0 to below 1"));
}

}  // namespace
}  // namespace lathe::onnx
