// Tests the operators of ai.onnx.ml with values that are computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "generator/reader/onnx/symbolic_sizes.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::OnnxArgument;
using testing::OnnxAttribute;
using testing::OnnxModel;
using testing::OnnxProgram;
using Floats = std::vector<float>;
using Words = std::vector<std::string>;
using Integers = std::vector<int64_t>;
using Attributes = std::vector<OnnxAttribute>;

using testing::kFloat;
using testing::kInt64;
using testing::kString;

constexpr char kMl[] = "ai.onnx.ml";

// The results of `op` on x, which has `dims`.
std::string RunMl(const std::string& op, const std::vector<int64_t>& dims,
                  const std::vector<double>& x, const Attributes& attributes, int outputs = 1,
                  int type = kFloat) {
  OnnxModel m;
  m.opsets = {{kMl, 3}};
  m.Input("x", type, {dims.begin(), dims.end()});
  const Words names = outputs == 1 ? Words{"y"} : Words{"y", "z"};
  m.Node(op, {"x"}, names, attributes, kMl);
  for (const std::string& name : names) m.Output(name);
  return OnnxProgram(m.Bytes()).Run({{dims, x, type == kInt64 ? "int64" : "float32"}});
}

// Rows of bytes of the given width.
OnnxArgument WordRows(const Words& words, std::vector<int64_t> shape, size_t width) {
  OnnxArgument x{std::move(shape), {}, "uint8"};
  x.shape.push_back(static_cast<int64_t>(width));
  for (const std::string& word : words) {
    for (size_t i = 0; i < width; ++i) x.elements.push_back(i < word.size() ? word[i] : 0);
  }
  return x;
}

// Tree 0 tests x0 <= 1 with leaves 1 and 2; tree 1 tests x1 > 0 with leaves 1 and 2.
Attributes TwoTrees(const std::string& prefix, Integers ids, Floats weights) {
  return {{"nodes_treeids", Integers{0, 0, 0, 1, 1, 1}},
          {"nodes_nodeids", Integers{0, 1, 2, 0, 1, 2}},
          {"nodes_featureids", Integers{0, 0, 0, 1, 0, 0}},
          {"nodes_modes", Words{"BRANCH_LEQ", "LEAF", "LEAF", "BRANCH_GT", "LEAF", "LEAF"}},
          {"nodes_values", Floats{1, 0, 0, 0, 0, 0}},
          {"nodes_truenodeids", Integers{1, 0, 0, 1, 0, 0}},
          {"nodes_falsenodeids", Integers{2, 0, 0, 2, 0, 0}},
          {prefix + "_treeids", Integers{0, 0, 1, 1}},
          {prefix + "_nodeids", Integers{1, 2, 1, 2}},
          {prefix + "_ids", std::move(ids)},
          {prefix + "_weights", std::move(weights)}};
}

Attributes With(Attributes attributes, const Attributes& more) {
  attributes.insert(attributes.end(), more.begin(), more.end());
  return attributes;
}

TEST(OnnxClassicalTest, TreesAreAggregated) {
  const auto run = [](const std::string& aggregate, const Attributes& more) {
    const Attributes all = With(TwoTrees("target", {0, 0, 0, 0}, {1, 2, 10, -4}),
                                With({{"aggregate_function", aggregate}}, more));
    return RunMl("TreeEnsembleRegressor", {3, 2}, {1, 1, 1, 0, 2, NAN}, all);
  };
  EXPECT_EQ(run("SUM", {}), "(3, 1): 11 -3 -2");
  EXPECT_EQ(run("AVERAGE", {}), "(3, 1): 5.5 -1.5 -1");
  EXPECT_EQ(run("MIN", {}), "(3, 1): 1 -4 -4");
  EXPECT_EQ(run("MAX", {}), "(3, 1): 10 1 2");
  EXPECT_EQ(run("MAX", {{"base_values", Floats{0.5}}}), "(3, 1): 10.5 1.5 2.5");
}

TEST(OnnxClassicalTest, TreesHaveSeveralTargets) {
  const Attributes trees = With(TwoTrees("target", {0, 1, 1, 1}, {1, 2, 10, -4}),
                                {{"n_targets", int64_t{2}}, {"base_values", Floats{100, 200}}});
  EXPECT_EQ(RunMl("TreeEnsembleRegressor", {2, 2}, {1, 1, 2, 0}, trees), "(2, 2): 101 210 100 198");
  // Targets that no leaf has a weight for have a minimum of zero.
  EXPECT_EQ(RunMl("TreeEnsembleRegressor", {2, 2}, {1, 1, 2, 0},
                  With(TwoTrees("target", {0, 1, 1, 1}, {1, 2, 10, 4}),
                       {{"n_targets", int64_t{3}}, {"aggregate_function", std::string("MIN")}})),
            "(2, 3): 1 10 0 0 2 0");
}

TEST(OnnxClassicalTest, BranchesCompareAndTrackMissingValues) {
  const auto run = [](const std::string& mode, int64_t missing) {
    return RunMl("TreeEnsembleRegressor", {4, 1}, {1, 2, 3, NAN},
                 {{"nodes_treeids", Integers{7, 7, 7}},
                  {"nodes_nodeids", Integers{0, 5, 9}},
                  {"nodes_featureids", Integers{0, 0, 0}},
                  {"nodes_modes", Words{mode, "LEAF", "LEAF"}},
                  {"nodes_values", Floats{2, 0, 0}},
                  {"nodes_truenodeids", Integers{5, 0, 0}},
                  {"nodes_falsenodeids", Integers{9, 0, 0}},
                  {"nodes_missing_value_tracks_true", Integers{missing, 0, 0}},
                  {"target_treeids", Integers{7, 7}},
                  {"target_nodeids", Integers{9, 5}},
                  {"target_ids", Integers{0, 0}},
                  {"target_weights", Floats{0, 1}}});
  };
  EXPECT_EQ(run("BRANCH_LEQ", 0), "(4, 1): 1 1 0 0");
  EXPECT_EQ(run("BRANCH_LEQ", 1), "(4, 1): 1 1 0 1");
  EXPECT_EQ(run("BRANCH_LT", 1), "(4, 1): 1 0 0 1");
  EXPECT_EQ(run("BRANCH_GTE", 0), "(4, 1): 0 1 1 0");
  EXPECT_EQ(run("BRANCH_GT", 0), "(4, 1): 0 0 1 0");
  EXPECT_EQ(run("BRANCH_EQ", 0), "(4, 1): 0 1 0 0");
  EXPECT_EQ(run("BRANCH_NEQ", 0), "(4, 1): 1 0 1 1");
}

TEST(OnnxClassicalTest, TreesOfOneLeafAreConstant) {
  EXPECT_EQ(RunMl("TreeEnsembleRegressor", {2, 1}, {1, 2},
                  {{"nodes_treeids", Integers{0}},
                   {"nodes_nodeids", Integers{0}},
                   {"nodes_featureids", Integers{0}},
                   {"nodes_modes", Words{"LEAF"}},
                   {"nodes_values", Floats{0}},
                   {"nodes_truenodeids", Integers{0}},
                   {"nodes_falsenodeids", Integers{0}},
                   {"target_treeids", Integers{0}},
                   {"target_nodeids", Integers{0}},
                   {"target_ids", Integers{0}},
                   {"target_weights", Floats{3}}}),
            "(2, 1): 3 3");
}

TEST(OnnxClassicalTest, TreesOfTwoClassesMayHaveOneScore) {
  const Attributes labels = {{"classlabels_int64s", Integers{30, 70}}};
  const auto run = [&](Floats weights, const Attributes& more) {
    return RunMl("TreeEnsembleClassifier", {2, 2}, {1, 1, 2, 0},
                 With(TwoTrees("class", {0, 0, 0, 0}, std::move(weights)), With(labels, more)), 2);
  };
  // Without negative weights the score is a probability.
  EXPECT_EQ(run({0.5, 0.25, 0.25, 0.125}, {}), "(2,): 70 30; (2, 2): 0.25 0.75 0.625 0.375");
  EXPECT_EQ(run({1, -1, 0.5, 0.25}, {}), "(2,): 70 30; (2, 2): -1.5 1.5 0.75 -0.75");
  EXPECT_EQ(run({1, -1, 0.5, 0.25}, {{"base_values", Floats{1}}}),
            "(2,): 70 70; (2, 2): -2.5 2.5 -0.25 0.25");
  EXPECT_THAT(run({1, -1, -1, 1}, {{"post_transform", std::string("LOGISTIC")}}),
              HasSubstr("(2, 2): 0.5 0.5 0.5 0.5"));
}

TEST(OnnxClassicalTest, TreesOfSeveralClassesSelectTheLargestScore) {
  const Attributes words = {{"classlabels_strings", Words{"a", "bc"}}};
  EXPECT_EQ(RunMl("TreeEnsembleClassifier", {2, 2}, {1, 1, 2, 0},
                  With(TwoTrees("class", {0, 1, 0, 1}, {0.5, 0.25, 0.5, 0.125}), words), 2),
            "(2, 2): 97 0 98 99; (2, 2): 1 0 0 0.375");
  // A class without a weight in the reached leaves is not a candidate.
  EXPECT_EQ(RunMl("TreeEnsembleClassifier", {2, 2}, {1, 1, 2, 0},
                  With(TwoTrees("class", {0, 1, 0, 1}, {-1, -2, -1, -1}),
                       {{"classlabels_int64s", Integers{3, 4, 5}}}),
                  2),
            "(2,): 3 4; (2, 3): -2 0 0 0 -3 0");
}

TEST(OnnxClassicalTest, MalformedTreesAreErrors) {
  const auto errors = [](const std::string& name, const OnnxAttribute& other) {
    Attributes trees = TwoTrees("target", {0, 0, 0, 0}, {1, 2, 10, -4});
    for (OnnxAttribute& a : trees) {
      if (a.name == name) a = other;
    }
    return RunMl("TreeEnsembleRegressor", {1, 2}, {1, 1}, trees);
  };
  const auto ints = [&](const std::string& name, Integers list) {
    return errors(name, {name, std::move(list)});
  };
  EXPECT_THAT(ints("nodes_truenodeids", {0, 0, 0, 1, 0, 0}), HasSubstr("trees have no cycles"));
  EXPECT_THAT(ints("nodes_truenodeids", {4, 0, 0, 1, 0, 0}),
              HasSubstr("a node of tree 0 continues at node 4, which the tree does not have"));
  EXPECT_THAT(ints("nodes_truenodeids", {1, 0}), HasSubstr("has 2 elements for 6 nodes"));
  EXPECT_THAT(ints("nodes_featureids", {2, 0, 0, 1, 0, 0}), HasSubstr("tests feature 2"));
  EXPECT_THAT(ints("nodes_nodeids", {0, 1, 1, 0, 1, 2}), HasSubstr("tree 0 has two nodes 1"));
  EXPECT_THAT(ints("target_nodeids", {0, 2, 1, 2}), HasSubstr("which is not a leaf"));
  EXPECT_THAT(ints("target_ids", {0, 0, 0, 1}), HasSubstr("less than 1"));
  EXPECT_THAT(errors("nodes_values", {"nodes_values", Floats{NAN, 0, 0, 0, 0, 0}}),
              HasSubstr("the threshold of node 0 is NaN"));
  EXPECT_THAT(errors("nodes_modes",
                     {"nodes_modes", Words{"BRANCH", "LEAF", "LEAF", "LEAF", "LEAF", "LEAF"}}),
              HasSubstr("unknown mode 'BRANCH'"));
}

TEST(OnnxClassicalTest, LinearModelsHaveOneScorePerTarget) {
  const Attributes two = {{"coefficients", Floats{1, 2, 3, 4}},
                          {"intercepts", Floats{10, 20}},
                          {"targets", int64_t{2}}};
  EXPECT_EQ(RunMl("LinearRegressor", {2, 2}, {1, 0, 0, 1}, two), "(2, 2): 11 23 12 24");
  EXPECT_EQ(RunMl("LinearRegressor", {2}, {1, 1}, {{"coefficients", Floats{1, 2}}}), "(1, 1): 3");
  EXPECT_THAT(RunMl("LinearRegressor", {1, 3}, {1, 1, 1}, two),
              HasSubstr("4 coefficients for 2 models of 3 features"));
}

TEST(OnnxClassicalTest, ScoresAreTransformed) {
  const auto run = [](const std::string& transform, std::vector<double> scores) {
    return RunMl("LinearRegressor", {1, 2}, scores,
                 {{"coefficients", Floats{1, 0, 0, 1}},
                  {"targets", int64_t{2}},
                  {"post_transform", transform}});
  };
  EXPECT_EQ(run("NONE", {0, 5}), "(1, 2): 0 5");
  EXPECT_EQ(run("SOFTMAX", {3, 3}), "(1, 2): 0.5 0.5");
  EXPECT_EQ(run("LOGISTIC", {0, 100}), "(1, 2): 0.5 1");
  EXPECT_EQ(run("SOFTMAX_ZERO", {0, 3}), "(1, 2): 0 1");
  EXPECT_EQ(run("SOFTMAX_ZERO", {0, 0}), "(1, 2): 0.5 0.5");
  EXPECT_THAT(run("PROBIT", {0.8, 0.5}), HasSubstr("(1, 2): 0.84175"));
  EXPECT_THAT(run("SIGMOID", {0, 0}), HasSubstr("unknown post_transform 'SIGMOID'"));
}

TEST(OnnxClassicalTest, LinearClassifiersHaveLabels) {
  const Attributes three = {{"coefficients", Floats{1, 0, 0, 1, 1, 1}},
                            {"intercepts", Floats{0, 0, -5}},
                            {"classlabels_ints", Integers{7, 8, 9}}};
  EXPECT_EQ(RunMl("LinearClassifier", {3, 2}, {2, 1, 1, 2, 6, 6}, three, 2),
            "(3,): 7 8 9; (3, 3): 2 1 -2 1 2 -2 6 6 7");
  const Attributes one = {{"coefficients", Floats{1, -1}},
                          {"intercepts", Floats{0}},
                          {"classlabels_strings", Words{"n", "y"}}};
  EXPECT_EQ(RunMl("LinearClassifier", {2, 2}, {2, 1, 1, 2}, one, 2),
            "(2, 1): 121 110; (2, 2): 0 1 2 -1");
  EXPECT_THAT(RunMl("LinearClassifier", {2, 2}, {2, 1, 1, 2},
                    {{"coefficients", Floats{1, -1}}, {"intercepts", Floats{0}}}, 2),
              HasSubstr("needs labels either in 'classlabels_ints' or in 'classlabels_strings'"));
}

TEST(OnnxClassicalTest, SupportVectorsHaveKernels) {
  const auto run = [](const std::string& kernel, float gamma, float offset, float degree) {
    return RunMl("SVMRegressor", {2, 2}, {1, 2, 0, 0},
                 {{"kernel_type", kernel},
                  {"kernel_params", Floats{gamma, offset, degree}},
                  {"n_supports", int64_t{2}},
                  {"support_vectors", Floats{1, 1, 2, 0}},
                  {"coefficients", Floats{1, 10}},
                  {"rho", Floats{0.5}}});
  };
  EXPECT_EQ(run("LINEAR", 0, 0, 0), "(2, 1): 23.5 0.5");
  EXPECT_EQ(run("POLY", 1, 1, 2), "(2, 1): 106.5 11.5");
  EXPECT_EQ(run("POLY", 2, -1, 3), "(2, 1): 395.5 -10.5");
  EXPECT_EQ(run("RBF", 0, 0, 0), "(2, 1): 11.5 11.5");
  EXPECT_EQ(run("SIGMOID", 100, 0, 0), "(2, 1): 11.5 0.5");
  EXPECT_THAT(run("LAPLACE", 0, 0, 0), HasSubstr("unknown kernel_type 'LAPLACE'"));
}

TEST(OnnxClassicalTest, SupportVectorsMayBeLinearOrOneClass) {
  const Attributes linear = {{"coefficients", Floats{1, 2}}, {"rho", Floats{-3}}};
  EXPECT_EQ(RunMl("SVMRegressor", {3, 2}, {1, 2, 1, 1, 0, 0}, linear), "(3, 1): 2 0 -3");
  EXPECT_EQ(
      RunMl("SVMRegressor", {3, 2}, {1, 2, 1, 1, 0, 0}, With(linear, {{"one_class", int64_t{1}}})),
      "(3, 1): 1 -1 -1");
}

// Classes at (1, 0), (0, 1) and (-1, -1), with linear kernels.
Attributes ThreeVectors() {
  return {{"vectors_per_class", Integers{1, 1, 1}},
          {"support_vectors", Floats{1, 0, 0, 1, -1, -1}},
          {"coefficients", Floats{1, -1, -1, 1, 1, -1}},
          {"rho", Floats{0, 0, 0}},
          {"classlabels_ints", Integers{5, 6, 7}}};
}

TEST(OnnxClassicalTest, SupportVectorClassifiersVote) {
  EXPECT_EQ(RunMl("SVMClassifier", {3, 2}, {2, 0, 0, 2, -2, -3}, ThreeVectors(), 2),
            "(3,): 5 6 7; (3, 3): 2 4 2 -2 2 4 1 -7 -8");
  const Attributes two = {{"vectors_per_class", Integers{1, 1}},
                          {"support_vectors", Floats{1, 0, 0, 1}},
                          {"coefficients", Floats{1, -1}},
                          {"rho", Floats{0.5}},
                          {"classlabels_strings", Words{"a", "b"}}};
  EXPECT_EQ(RunMl("SVMClassifier", {2, 2}, {2, 0, 0, 2}, two, 2),
            "(2, 1): 97 98; (2, 2): -2.5 2.5 1.5 -1.5");
  EXPECT_THAT(RunMl("SVMClassifier", {2, 2}, {2, 0, 0, 2},
                    With(two, {{"prob_a", Floats{1}}, {"prob_b", Floats{}}}), 2),
              HasSubstr("'rho', 'prob_a' and 'prob_b' have 1, 1 and 0 elements"));
}

TEST(OnnxClassicalTest, SupportVectorClassifiersHaveProbabilities) {
  // Equal calibrated scores give equal probabilities.
  const Attributes equal =
      With(ThreeVectors(), {{"prob_a", Floats{0, 0, 0}}, {"prob_b", Floats{0, 0, 0}}});
  EXPECT_THAT(RunMl("SVMClassifier", {1, 2}, {2, 0}, equal, 2),
              HasSubstr("(1, 3): 0.33333334 0.33333334 0.33333334"));
  // With two classes the result is the probability of the pair, up to the tolerance of the
  // iteration.
  const Attributes two = {
      {"vectors_per_class", Integers{1, 1}}, {"support_vectors", Floats{1, 0, 0, 1}},
      {"coefficients", Floats{1, -1}},       {"rho", Floats{0}},
      {"prob_a", Floats{std::log(3.0F)}},    {"prob_b", Floats{0}},
      {"classlabels_ints", Integers{0, 1}}};
  EXPECT_THAT(RunMl("SVMClassifier", {1, 2}, {1, 0}, two, 2), HasSubstr("(1, 2): 0.2499"));
}

TEST(OnnxClassicalTest, FeaturesArePrepared) {
  EXPECT_EQ(
      RunMl("Scaler", {2, 2}, {1, 2, 3, 4}, {{"offset", Floats{1, 2}}, {"scale", Floats{2, 3}}}),
      "(2, 2): 0 0 4 6");
  EXPECT_EQ(RunMl("Scaler", {1, 2, 2}, {1, 2, 3, 4}, {{"scale", Floats{2, 3}}}),
            "(1, 2, 2): 2 6 6 12");
  EXPECT_EQ(RunMl("Scaler", {2}, {1, 2}, {{"offset", Floats{1}}, {"scale", Floats{2}}}, 1, kInt64),
            "(2,): 0 2");
  EXPECT_THAT(RunMl("Scaler", {2, 2}, {1, 2, 3, 4}, {{"offset", Floats{1, 2, 3}}}),
              HasSubstr("'offset' has 3 elements for 2 features"));
  EXPECT_EQ(RunMl("Imputer", {2, 2}, {NAN, 2, 3, NAN},
                  {{"imputed_value_floats", Floats{8, 9}}, {"replaced_value_float", NAN}}),
            "(2, 2): 8 2 3 9");
  EXPECT_EQ(RunMl("Imputer", {1, 2}, {0, 2},
                  {{"imputed_value_int64s", Integers{8}}, {"replaced_value_int64", int64_t{2}}}, 1,
                  kInt64),
            "(1, 2): 0 8");
  const auto norm = [](const std::string& name) {
    return RunMl("Normalizer", {3, 2}, {-3, 4, 0, 0, -1, -2}, {{"norm", name}});
  };
  EXPECT_EQ(norm("MAX"), "(3, 2): -0.75 1 0 0 1 2");
  EXPECT_EQ(norm("L2"), "(3, 2): -0.6 0.8 0 0 -0.4472136 -0.8944272");
  EXPECT_THAT(norm("L1"), HasSubstr("(3, 2): -0.4285714"));
  EXPECT_EQ(RunMl("FeatureVectorizer", {2, 2}, {1, 2, 3, 4}, {{"inputdimensions", Integers{3}}}),
            "(2, 3): 1 2 0 3 4 0");
  EXPECT_EQ(RunMl("FeatureVectorizer", {2, 2}, {1, 2, 3, 4}, {{"inputdimensions", Integers{1}}}),
            "(2, 1): 1 3");
}

TEST(OnnxClassicalTest, CategoriesAreOneHot) {
  EXPECT_EQ(RunMl("OneHotEncoder", {3}, {4.5, 7, 1}, {{"cats_int64s", Integers{1, 4}}}),
            "(3, 2): 0 1 0 0 1 0");
  EXPECT_THAT(
      RunMl("OneHotEncoder", {1}, {7}, {{"cats_int64s", Integers{1, 4}}, {"zeros", int64_t{0}}}),
      HasSubstr("OneHotEncoder needs every element to be one of its categories"));
}

TEST(OnnxClassicalTest, LabelsMapToStringsAndBack) {
  const Attributes pairs = {{"cats_int64s", Integers{1, 2}},
                            {"cats_strings", Words{"a", "bc"}},
                            {"default_string", std::string("?")}};
  EXPECT_EQ(RunMl("CategoryMapper", {3}, {2, 1, 5}, pairs, 1, kInt64), "(3, 2): 98 99 97 0 63 0");
  OnnxModel m;
  m.opsets = {{kMl, 3}};
  m.Input("x", kString, {3});
  m.Node("CategoryMapper", {"x"}, {"y"}, pairs, kMl);
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({WordRows({"bc", "a", "b"}, {3}, 4)}), "(3,): 2 1 -1");
  EXPECT_EQ(RunMl("LabelEncoder", {2}, {2, 9},
                  {{"keys_floats", Floats{1, 2}}, {"values_strings", Words{"a", "b"}}}),
            "(2, 7): 98 0 0 0 0 0 0 95 85 110 117 115 101 100");
}

TEST(OnnxClassicalTest, NotANumberIsAKeySinceVersion4) {
  const auto run = [](int64_t version) {
    OnnxModel m;
    m.opsets = {{kMl, version}};
    m.Input("x", kFloat, {3});
    m.Node("LabelEncoder", {"x"}, {"y"},
           {{"keys_floats", Floats{1, NAN}}, {"values_floats", Floats{5, 6}}}, kMl);
    m.Output("y");
    return OnnxProgram(m.Bytes()).Run({{{3}, {1, NAN, 2}}});
  };
  EXPECT_EQ(run(2), "(3,): 5 -0 -0");
  EXPECT_EQ(run(4), "(3,): 5 6 -0");
}

TEST(OnnxClassicalTest, ElementsOfStringsAreMoved) {
  OnnxModel m;
  m.opsets = {{kMl, 3}};
  m.Input("x", kString, {std::string("n"), 1});
  m.Input("y", kString, {std::string("n"), 1});
  m.Ints("last", {1}, {1});
  m.Ints("flat", {1}, {-1});
  m.Node("Concat", {"x", "y"}, {"both"}, {{"axis", int64_t{1}}});
  m.Node("ArrayFeatureExtractor", {"both", "last"}, {"column"}, {}, kMl);
  m.Node("Reshape", {"column", "flat"}, {"list"});
  m.Node("Shape", {"both"}, {"shape"});
  for (const char* name : {"both", "list", "shape"}) m.Output(name);
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run(
                {WordRows({"a", "b"}, {2, 1}, 1), WordRows({"cd", "e"}, {2, 1}, 2)}),
            "(2, 2, 2): 97 0 99 100 98 0 101 0; (2, 2): 99 100 101 0; (2,): 2 2");
}

TEST(OnnxClassicalTest, WidthsOfStringsMayBeFixed) {
  OnnxModel m;
  m.Input("x", kString, {2});
  m.Node("StringConcat", {"x", "x"}, {"y"});
  m.Output("y");
  OnnxProgram any(m.Bytes());
  const auto sizes = NameSizes(any.file, {{"x_width", {3, 3}}});
  ASSERT_TRUE(sizes.ok()) << sizes.status();
  ReadOptions options;
  options.sizes = *sizes;
  EXPECT_THAT(OnnxProgram(m.Bytes(), options).Text(),
              HasSubstr("x: T.Buffer((T.int64(2), T.int64(3)), \"uint8\")"));
}

// Adds an input that is a map.
void MapInput(OnnxModel& m, const std::string& name, int key, int value) {
  testing::WireWriter element, type, info, map;
  element.Bytes(1, testing::WireWriter().Varint(1, value).bytes());
  map.Varint(1, key).Bytes(2, element.bytes());
  type.Bytes(5, map.bytes());
  info.Bytes(1, name).Bytes(2, type.bytes());
  m.Message(11, info.bytes());
}

TEST(OnnxClassicalTest, MapsAreKeysAndValues) {
  OnnxModel m;
  m.opsets = {{kMl, 3}};
  MapInput(m, "x", kString, kFloat);
  m.Node("DictVectorizer", {"x"}, {"y"}, {{"string_vocabulary", Words{"b", "a", "cd"}}}, kMl);
  m.Output("y");
  const OnnxArgument values{{2}, {1, 2}};
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({WordRows({"cd", "b"}, {2}, 3), values}), "(1, 3): 2 0 1");
  const auto cast = [&](const Attributes& attributes, const std::vector<double>& keys) {
    OnnxModel c;
    c.opsets = {{kMl, 3}};
    MapInput(c, "x", kInt64, kFloat);
    c.Node("CastMap", {"x"}, {"y"}, attributes, kMl);
    c.Output("y");
    return OnnxProgram(c.Bytes()).Run({{{2}, keys, "int64"}, values});
  };
  EXPECT_EQ(cast({}, {9, 3}), "(1, 2): 2 1");
  const Attributes sparse = {{"map_form", std::string("SPARSE")},
                             {"max_map", int64_t{4}},
                             {"cast_to", std::string("TO_INT64")}};
  EXPECT_EQ(cast(sparse, {9, 3}), "(1, 4): 0 0 0 2");
  EXPECT_THAT(cast(sparse, {0, -3}), HasSubstr("CastMap needs keys that are not negative"));
}

TEST(OnnxClassicalTest, WrongDeclaredShapesAreWarnings) {
  OnnxModel m;
  m.opsets = {{kMl, 3}};
  m.Input("x", kFloat, {1, 2});
  m.Node("Binarizer", {"x"}, {"y"}, {}, kMl);
  m.Output("y", kFloat, {1, 1});
  OnnxProgram program(m.Bytes());
  EXPECT_THAT(program.Errors(),
              HasSubstr("'y' is 1 long in dimension 1, but it is 2; the declaration is ignored"));
  EXPECT_EQ(program.Run({{{1, 2}, {-1, 2}}}), "(1, 2): 0 1");
}

TEST(OnnxClassicalTest, ZipMapIsATensorOfScores) {
  EXPECT_EQ(RunMl("ZipMap", {2, 2}, {1, 2, 3, 4}, {{"classlabels_strings", Words{"a", "b"}}}),
            "(2, 2): 1 2 3 4");
  EXPECT_THAT(RunMl("ZipMap", {2, 2}, {1, 2, 3, 4}, {{"classlabels_int64s", Integers{1, 2, 3}}}),
              HasSubstr("has 3 labels for 2 columns of scores"));
}

}  // namespace
}  // namespace lathe::onnx
