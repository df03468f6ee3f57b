// Tests the models of ai.onnx.ml with values that are computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/onnx_classical.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::OnnxAttribute;
using testing::RunMl;
using Floats = std::vector<float>;
using Words = std::vector<std::string>;
using Integers = std::vector<int64_t>;
using Attributes = std::vector<OnnxAttribute>;

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

}  // namespace
}  // namespace lathe::onnx
