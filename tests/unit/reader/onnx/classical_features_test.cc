// Tests the operators of ai.onnx.ml that prepare features, with values that are computed by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "generator/reader/onnx/symbolic_sizes.h"
#include "tests/support/onnx_classical.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::OnnxArgument;
using testing::OnnxAttribute;
using testing::OnnxModel;
using testing::OnnxProgram;
using testing::RunMl;
using testing::WordRows;

using testing::kFloat;
using testing::kInt64;
using testing::kString;

constexpr char kMl[] = "ai.onnx.ml";

TEST(OnnxFeaturesTest, FeaturesArePrepared) {
  EXPECT_EQ(RunMl("Scaler", {2, 2}, {1, 2, 3, 4},
                  {{"offset", std::vector<float>{1, 2}}, {"scale", std::vector<float>{2, 3}}}),
            "(2, 2): 0 0 4 6");
  EXPECT_EQ(RunMl("Scaler", {1, 2, 2}, {1, 2, 3, 4}, {{"scale", std::vector<float>{2, 3}}}),
            "(1, 2, 2): 2 6 6 12");
  EXPECT_EQ(RunMl("Scaler", {2}, {1, 2},
                  {{"offset", std::vector<float>{1}}, {"scale", std::vector<float>{2}}}, 1, kInt64),
            "(2,): 0 2");
  EXPECT_THAT(RunMl("Scaler", {2, 2}, {1, 2, 3, 4}, {{"offset", std::vector<float>{1, 2, 3}}}),
              HasSubstr("'offset' has 3 elements for 2 features"));
  EXPECT_EQ(
      RunMl("Imputer", {2, 2}, {NAN, 2, 3, NAN},
            {{"imputed_value_floats", std::vector<float>{8, 9}}, {"replaced_value_float", NAN}}),
      "(2, 2): 8 2 3 9");
  EXPECT_EQ(RunMl("Imputer", {1, 2}, {0, 2},
                  {{"imputed_value_int64s", std::vector<int64_t>{8}},
                   {"replaced_value_int64", int64_t{2}}},
                  1, kInt64),
            "(1, 2): 0 8");
  const auto norm = [](const std::string& name) {
    return RunMl("Normalizer", {3, 2}, {-3, 4, 0, 0, -1, -2}, {{"norm", name}});
  };
  EXPECT_EQ(norm("MAX"), "(3, 2): -0.75 1 0 0 1 2");
  EXPECT_EQ(norm("L2"), "(3, 2): -0.6 0.8 0 0 -0.4472136 -0.8944272");
  EXPECT_THAT(norm("L1"), HasSubstr("(3, 2): -0.4285714"));
  EXPECT_EQ(RunMl("FeatureVectorizer", {2, 2}, {1, 2, 3, 4},
                  {{"inputdimensions", std::vector<int64_t>{3}}}),
            "(2, 3): 1 2 0 3 4 0");
  EXPECT_EQ(RunMl("FeatureVectorizer", {2, 2}, {1, 2, 3, 4},
                  {{"inputdimensions", std::vector<int64_t>{1}}}),
            "(2, 1): 1 3");
}

TEST(OnnxFeaturesTest, CategoriesAreOneHot) {
  EXPECT_EQ(RunMl("OneHotEncoder", {3}, {4.5, 7, 1}, {{"cats_int64s", std::vector<int64_t>{1, 4}}}),
            "(3, 2): 0 1 0 0 1 0");
  EXPECT_THAT(RunMl("OneHotEncoder", {1}, {7},
                    {{"cats_int64s", std::vector<int64_t>{1, 4}}, {"zeros", int64_t{0}}}),
              HasSubstr("OneHotEncoder needs every element to be one of its categories"));
}

TEST(OnnxFeaturesTest, LabelsMapToStringsAndBack) {
  const std::vector<OnnxAttribute> pairs = {{"cats_int64s", std::vector<int64_t>{1, 2}},
                                            {"cats_strings", std::vector<std::string>{"a", "bc"}},
                                            {"default_string", std::string("?")}};
  EXPECT_EQ(RunMl("CategoryMapper", {3}, {2, 1, 5}, pairs, 1, kInt64), "(3, 2): 98 99 97 0 63 0");
  OnnxModel m;
  m.opsets = {{kMl, 3}};
  m.Input("x", kString, {3});
  m.Node("CategoryMapper", {"x"}, {"y"}, pairs, kMl);
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({WordRows({"bc", "a", "b"}, {3}, 4)}), "(3,): 2 1 -1");
  EXPECT_EQ(RunMl("LabelEncoder", {2}, {2, 9},
                  {{"keys_floats", std::vector<float>{1, 2}},
                   {"values_strings", std::vector<std::string>{"a", "b"}}}),
            "(2, 7): 98 0 0 0 0 0 0 95 85 110 117 115 101 100");
}

TEST(OnnxFeaturesTest, NotANumberIsAKeySinceVersion4) {
  const auto run = [](int64_t version) {
    OnnxModel m;
    m.opsets = {{kMl, version}};
    m.Input("x", kFloat, {3});
    m.Node(
        "LabelEncoder", {"x"}, {"y"},
        {{"keys_floats", std::vector<float>{1, NAN}}, {"values_floats", std::vector<float>{5, 6}}},
        kMl);
    m.Output("y");
    return OnnxProgram(m.Bytes()).Run({{{3}, {1, NAN, 2}}});
  };
  EXPECT_EQ(run(2), "(3,): 5 -0 -0");
  EXPECT_EQ(run(4), "(3,): 5 6 -0");
}

TEST(OnnxFeaturesTest, ElementsOfStringsAreMoved) {
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

TEST(OnnxFeaturesTest, ThresholdsOfIntegersAreFractions) {
  OnnxModel m;
  m.opsets = {{kMl, 1}};
  m.Input("x", testing::kInt32, {4});
  m.Node("Binarizer", {"x"}, {"y"}, {{"threshold", -1.5F}}, kMl).Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{4}, {-2, -1, 0, 1}, "int32"}}), "(4,): 0 1 1 1");
}

TEST(OnnxFeaturesTest, StringsArePaddedAndScattered) {
  OnnxModel m;
  m.Input("x", kString, {2}).Input("y", kString, {1});
  m.Ints("pads", {2}, {1, 0}).Ints("at", {1, 1}, {2});
  m.Node("Pad", {"x", "pads"}, {"padded"}).Node("Pad", {"x", "pads", "y"}, {"filled"});
  m.Node("ScatterND", {"padded", "at", "y"}, {"scattered"});
  for (const char* name : {"padded", "filled", "scattered"}) m.Output(name);
  const auto x = WordRows({"a", "bc"}, {2}, 2), y = WordRows({"d"}, {1}, 1);
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({x, y}),
            "(3, 2): 0 0 97 0 98 99; (3, 2): 100 0 97 0 98 99; (3, 2): 0 0 97 0 100 0");
  OnnxModel sum;
  sum.Input("x", kString, {2}).Input("y", kString, {1}).Ints("at", {1, 1}, {1});
  sum.Node("ScatterND", {"x", "at", "y"}, {"z"}, {{"reduction", std::string("add")}}).Output("z");
  EXPECT_THAT(OnnxProgram(sum.Bytes()).Errors(),
              ::testing::HasSubstr("reduction 'add' of strings"));
}

TEST(OnnxFeaturesTest, StringsAreBroadcastAtRunTime) {
  OnnxModel m;
  m.Input("x", kString, {"a", "b"}).Input("y", kString, {"c"});
  m.Node("Equal", {"x", "y"}, {"same"}).Node("StringConcat", {"x", "y"}, {"both"});
  m.Output("same").Output("both");
  const auto one = WordRows({"a"}, {1}, 1), rows = WordRows({"a", "b"}, {2, 1}, 1);
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({rows, one}), "(2, 1): True False; (2, 1, 2): 97 97 98 97");
  const auto column = WordRows({"b", "a"}, {2}, 1), row = WordRows({"a"}, {1, 1}, 1);
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({row, column}),
            "(1, 2): False True; (1, 2, 2): 97 98 97 97");
  EXPECT_THAT(OnnxProgram(m.Bytes()).Run({WordRows({"a", "b", "c"}, {1, 3}, 1), column}),
              HasSubstr("Equal needs dimension 0 of the second tensor"));
}

TEST(OnnxFeaturesTest, WidthsOfStringsMayBeFixed) {
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

TEST(OnnxFeaturesTest, MapsAreKeysAndValues) {
  OnnxModel m;
  m.opsets = {{kMl, 3}};
  MapInput(m, "x", kString, kFloat);
  m.Node("DictVectorizer", {"x"}, {"y"},
         {{"string_vocabulary", std::vector<std::string>{"b", "a", "cd"}}}, kMl);
  m.Output("y");
  const OnnxArgument values{{2}, {1, 2}};
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({WordRows({"cd", "b"}, {2}, 3), values}), "(1, 3): 2 0 1");
  const auto cast = [&](const std::vector<OnnxAttribute>& attributes,
                        const std::vector<double>& keys) {
    OnnxModel c;
    c.opsets = {{kMl, 3}};
    MapInput(c, "x", kInt64, kFloat);
    c.Node("CastMap", {"x"}, {"y"}, attributes, kMl);
    c.Output("y");
    return OnnxProgram(c.Bytes()).Run({{{2}, keys, "int64"}, values});
  };
  EXPECT_EQ(cast({}, {9, 3}), "(1, 2): 2 1");
  const std::vector<OnnxAttribute> sparse = {{"map_form", std::string("SPARSE")},
                                             {"max_map", int64_t{4}},
                                             {"cast_to", std::string("TO_INT64")}};
  EXPECT_EQ(cast(sparse, {9, 3}), "(1, 4): 0 0 0 2");
  EXPECT_THAT(cast(sparse, {0, -3}), HasSubstr("CastMap needs keys that are not negative"));
}

TEST(OnnxFeaturesTest, WrongDeclaredShapesAreWarnings) {
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

TEST(OnnxFeaturesTest, ZipMapIsATensorOfScores) {
  EXPECT_EQ(RunMl("ZipMap", {2, 2}, {1, 2, 3, 4},
                  {{"classlabels_strings", std::vector<std::string>{"a", "b"}}}),
            "(2, 2): 1 2 3 4");
  EXPECT_THAT(RunMl("ZipMap", {2, 2}, {1, 2, 3, 4},
                    {{"classlabels_int64s", std::vector<int64_t>{1, 2, 3}}}),
              HasSubstr("has 3 labels for 2 columns of scores"));
}

}  // namespace
}  // namespace lathe::onnx
