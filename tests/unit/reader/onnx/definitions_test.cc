// Tests corner cases of ONNX's definitions: omitted attributes, empty operands, loops without
// iterations, parameters of activations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::OnnxAttribute;
using testing::OnnxGraph;
using testing::OnnxModel;
using testing::OnnxProgram;
using List = std::vector<int64_t>;
using Names = std::vector<std::string>;

using testing::kBool;
using testing::kFloat;
using testing::kInt32;
using testing::kInt64;

std::string ReduceTwo(const std::string& op, const std::string& axes, bool noop, int type) {
  OnnxModel m;
  m.Input("x", type, {int64_t{2}});
  std::vector<std::string> inputs = {"x"};
  if (axes == "empty") {
    m.Ints("axes", {0}, {});
    inputs.emplace_back("axes");
  }
  std::vector<OnnxAttribute> attributes = {{"keepdims", int64_t{0}}};
  if (noop) attributes.push_back({"noop_with_empty_axes", int64_t{1}});
  m.Node(op, inputs, {"y"}, attributes);
  m.Output("y");
  return OnnxProgram(m.Bytes()).Run({{{2}, {3, 4}, type == kFloat ? "float32" : "int32"}});
}

TEST(OnnxDefinitionsTest, OmittedAxesAreNoneOrAll) {
  struct Row {
    const char* op;
    const char* none;
    const char* all;
  };
  for (const Row& row : {Row{"ReduceSum", "(2,): 3 4", "(): 7"},
                         {"ReduceMax", "(2,): 3 4", "(): 4"},
                         {"ReduceMin", "(2,): 3 4", "(): 3"},
                         {"ReduceProd", "(2,): 3 4", "(): 12"},
                         {"ReduceL1", "(2,): 3 4", "(): 7"},
                         {"ReduceL2", "(2,): 3 4", "(): 5"},
                         {"ReduceSumSquare", "(2,): 9 16", "(): 25"}}) {
    for (const int type : {kFloat, kInt32}) {
      for (const char* axes : {"left out", "empty"}) {
        EXPECT_EQ(ReduceTwo(row.op, axes, true, type), row.none) << row.op << " " << axes;
        EXPECT_EQ(ReduceTwo(row.op, axes, false, type), row.all) << row.op << " " << axes;
      }
    }
  }
  EXPECT_EQ(ReduceTwo("ReduceMean", "left out", true, kFloat), "(2,): 3 4");
  EXPECT_EQ(ReduceTwo("ReduceMean", "left out", false, kInt32), "(): 3");
  EXPECT_EQ(ReduceTwo("ReduceLogSumExp", "left out", true, kFloat), "(2,): 3 4");
  EXPECT_EQ(ReduceTwo("ReduceLogSum", "left out", false, kInt32), "(): 1");
  EXPECT_EQ(ReduceTwo("ReduceLogSumExp", "empty", false, kInt32), "(): 4");
}

// Of three elements, each times 1 at its index and times 10 at the next.
std::string Transposed(List output_shape, const std::string& automatic,
                       std::vector<OnnxAttribute> more = {}) {
  OnnxModel m;
  m.Input("x", kFloat, {int64_t{1}, int64_t{1}, int64_t{3}});
  m.Floats("w", {1, 1, 2}, {1, 10});
  if (!output_shape.empty()) more.push_back({"output_shape", output_shape});
  if (!automatic.empty()) more.push_back({"auto_pad", automatic});
  m.Node("ConvTranspose", {"x", "w"}, {"y"}, more);
  m.Output("y");
  return OnnxProgram(m.Bytes()).Run({{{1, 1, 3}, {1, 2, 3}}});
}

TEST(OnnxDefinitionsTest, OddPaddingIsAtTheFront) {
  EXPECT_EQ(Transposed({}, ""), "(1, 1, 4): 1 12 23 30");
  for (const char* automatic : {"", "NOTSET", "VALID", "SAME_LOWER"}) {
    EXPECT_EQ(Transposed({3}, automatic), "(1, 1, 3): 12 23 30") << automatic;
  }
  EXPECT_EQ(Transposed({3}, "SAME_UPPER"), "(1, 1, 3): 1 12 23");
  EXPECT_EQ(Transposed({}, "SAME_UPPER"), "(1, 1, 3): 1 12 23");
  EXPECT_EQ(Transposed({}, "SAME_LOWER"), "(1, 1, 3): 12 23 30");
  EXPECT_EQ(Transposed({}, "VALID"), "(1, 1, 4): 1 12 23 30");
}

// A stride above the kernel's span needs no padding, and the last elements are not reached.
TEST(OnnxDefinitionsTest, NegativePaddingIsNone) {
  for (const char* automatic : {"SAME_UPPER", "SAME_LOWER"}) {
    EXPECT_EQ(Transposed({}, automatic, {{"strides", List{3}}}), "(1, 1, 8): 1 10 0 2 20 0 3 30");
  }
}

TEST(OnnxDefinitionsTest, PaddingToTheSizeOfTheImageNeedsNoSize) {
  OnnxModel m;
  m.Input("x", kFloat, {int64_t{1}, int64_t{1}, "n"});
  m.Floats("w", {1, 1, 3}, {1, 10, 100});
  m.Node("ConvTranspose", {"x", "w"}, {"y"}, {{"auto_pad", "SAME_UPPER"}, {"strides", List{2}}});
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{1, 1, 2}, {1, 2}}}), "(1, 1, 4): 1 10 102 20");
}

std::string Top(std::vector<testing::OnnxDim> dims, const std::string& k, List first = {}) {
  OnnxModel m;
  m.Input("x", kFloat, std::move(dims));
  if (k == "an input") {
    m.Input("k", kInt64, {int64_t{1}});
  } else if (k == "a size") {
    m.Input("like", kFloat, {"k"});
    m.Node("Shape", {"like"}, {"k"});
  } else {
    m.Ints("k", {1}, first);
  }
  m.Node("TopK", {"x", "k"}, {"values", "places"}, {{"axis", int64_t{-1}}});
  m.Output("values").Output("places");
  OnnxProgram program(m.Bytes());
  std::vector<testing::OnnxArgument> args = {{{1, 3}, {5, 7, 6}}};
  if (k == "an input") args.push_back({{1}, {static_cast<double>(first[0])}, "int64"});
  if (k == "a size") args.push_back({first, std::vector<double>(static_cast<size_t>(first[0]))});
  return program.Run(args);
}

TEST(OnnxDefinitionsTest, EmptyResults) {
  for (const std::vector<testing::OnnxDim>& dims :
       {std::vector<testing::OnnxDim>{int64_t{1}, int64_t{3}}, {int64_t{1}, "n"}, {"m", "n"}}) {
    for (const char* k : {"known", "a size", "an input"}) {
      EXPECT_EQ(Top(dims, k, {0}), "(1, 0): ; (1, 0): ") << k;
      EXPECT_EQ(Top(dims, k, {2}), "(1, 2): 7 6; (1, 2): 1 2") << k;
      EXPECT_EQ(Top(dims, k, {3}), "(1, 3): 7 6 5; (1, 3): 1 2 0") << k;
    }
    EXPECT_THAT(Top(dims, "an input", {4}), HasSubstr("TopK needs"));
    EXPECT_THAT(Top(dims, "an input", {-1}), HasSubstr("sizes must not be negative"));
  }
}

TEST(OnnxDefinitionsTest, ResultsAsLongAsTheRunFinds) {
  OnnxModel m;
  m.Input("x", kFloat, {"n"}).Input("c", kBool, {"k"});
  m.Node("NonZero", {"x"}, {"a"}).Node("Compress", {"x", "c"}, {"b"}).Node("Unique", {"x"}, {"u"});
  m.Output("a").Output("b").Output("u");
  OnnxProgram program(m.Bytes());
  EXPECT_EQ(program.Run({{{4}, {0, 5, 0, 5}}, {{3}, {1, 0, 1}, "bool"}}),
            "(1, 2): 1 3; (2,): 0 0; (2,): 0 5");
  EXPECT_EQ(program.Run({{{2}, {0, 0}}, {{2}, {0, 0}, "bool"}}), "(1, 0): ; (0,): ; (1,): 0");
}

// The state of a one-unit layer after one step: f(1) of an RNN with weight 1.
std::string Activated(const std::string& f, std::vector<float> alphas = {},
                      std::vector<float> betas = {}, float x = 1) {
  OnnxModel m;
  m.Input("x", kFloat, {int64_t{1}, int64_t{1}, int64_t{1}});
  m.Floats("w", {2, 1, 1}, {1, 1}).Floats("r", {2, 1, 1}, {0, 0});
  m.Node("RNN", {"x", "w", "r"}, {"", "y"},
         {{"hidden_size", int64_t{1}},
          {"direction", "bidirectional"},
          {"activations", Names{"Relu", f}},
          {"activation_alpha", std::move(alphas)},
          {"activation_beta", std::move(betas)}});
  m.Output("y");
  return OnnxProgram(m.Bytes()).Run({{{1, 1, 1}, {x}}});
}

TEST(OnnxDefinitionsTest, ActivationParameters) {
  EXPECT_EQ(Activated("LeakyRelu", {0.5F}, {}, -1), "(2, 1, 1): 0 -0.5");
  EXPECT_EQ(Activated("LeakyRelu", {}, {}, -1), "(2, 1, 1): 0 -0.01");
  EXPECT_EQ(Activated("Affine", {2}, {3}), "(2, 1, 1): 1 5");
  EXPECT_EQ(Activated("Affine"), "(2, 1, 1): 1 1");
  EXPECT_EQ(Activated("ThresholdedRelu", {1}), "(2, 1, 1): 1 0");
  EXPECT_EQ(Activated("ThresholdedRelu", {0.5F}), "(2, 1, 1): 1 1");
  EXPECT_EQ(Activated("HardSigmoid", {0.5F}, {0.25F}), "(2, 1, 1): 1 0.75");
  EXPECT_EQ(Activated("HardSigmoid"), "(2, 1, 1): 1 0.7");
  EXPECT_EQ(Activated("Softsign"), "(2, 1, 1): 1 0.5");
  EXPECT_THAT(Activated("Softplus"), HasSubstr("1 1.31326"));
  EXPECT_THAT(Activated("Elu", {2}, {}, -1), HasSubstr("0 -1.26424"));
  EXPECT_THAT(Activated("ScaledTanh", {2}, {0.5F}), HasSubstr("1 0.924234"));
  EXPECT_THAT(Activated("ScaledTanh"),
              HasSubstr("'ScaledTanh' needs an entry of activation_alpha"));
  EXPECT_THAT(Activated("Gelu"), HasSubstr("supported: Sigmoid, Tanh, Relu, Affine"));
}

// Symbolic shape arithmetic gives the same numbers as the operators.
TEST(OnnxDefinitionsTest, SmallIntegersKeepTheirRanks) {
  OnnxModel m;
  m.Ints("one", {}, {7}).Ints("two", {2}, {2, 3}).Ints("axes", {2}, {0, 1});
  m.Node("Unsqueeze", {"one", "axes"}, {"a"}).Output("a");
  m.Node("ReduceProd", {"two"}, {"b"}, {{"noop_with_empty_axes", int64_t{1}}}).Output("b");
  m.Node("ReduceProd", {"two"}, {"c"}).Output("c");
  m.Node("Cast", {"two"}, {"d"}, {{"to", int64_t{kInt32}}});
  m.Node("Mul", {"d", "d"}, {"e"}).Node("Mul", {"e", "e"}, {"f"}).Node("Mul", {"f", "f"}, {"g"});
  m.Node("Mul", {"g", "g"}, {"h"}).Node("Mul", {"h", "h"}, {"i"}).Output("i");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({}), "(1, 1): 7; (2,): 2 3; (1,): 6; (2,): 0 -501334399");
}

TEST(OnnxDefinitionsTest, LoopsWithoutIterations) {
  for (const bool by_condition : {false, true}) {
    for (const bool declares : {false, true}) {
      OnnxGraph body;
      body.Input("i", kInt64, {}).Input("go", kBool, {}).Input("v", kFloat, {int64_t{2}});
      body.Node("Identity", {"go"}, {"goes"}).Node("Add", {"v", "v"}, {"w"});
      body.Node("Neg", {"w"}, {"s"});
      body.Output("goes").Output("w");
      if (declares) body.Output("s", kFloat, {int64_t{2}});
      if (!declares) body.Output("s");
      OnnxModel m;
      m.Input("x", kFloat, {int64_t{2}});
      m.Ints("none", {}, {0});
      m.Node("Cast", {"none"}, {"never"}, {{"to", int64_t{kBool}}});
      m.Node("Loop", {by_condition ? "" : "none", by_condition ? "never" : "", "x"}, {"y", "ys"},
             {{"body", body}});
      m.Output("y").Output("ys", kFloat, {int64_t{0}, int64_t{2}});
      EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{2}, {1, 2}}}), "(2,): 1 2; (0, 2): ");
    }
  }
}

TEST(OnnxDefinitionsTest, ScansOfEmptySequences) {
  for (const bool declares : {false, true}) {
    OnnxGraph body;
    body.Input("v", kFloat, {int64_t{2}}).Input("e", kFloat, {int64_t{2}});
    body.Node("Add", {"v", "e"}, {"w"}).Node("Neg", {"e"}, {"s"});
    body.Output("w");
    if (declares) body.Output("s", kFloat, {int64_t{2}});
    if (!declares) body.Output("s");
    OnnxModel m;
    m.Input("x", kFloat, {int64_t{2}}).Input("seq", kFloat, {int64_t{2}, int64_t{0}});
    m.Node("Scan", {"x", "seq"}, {"y", "ys"}, {{"body", body}},
           {{"num_scan_inputs", int64_t{1}},
            {"scan_input_axes", List{1}},
            {"scan_output_axes", List{-1}}});
    m.Output("y").Output("ys");
    EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{2}, {1, 2}}, {{2, 0}, {}}}), "(2,): 1 2; (2, 0): ");
  }
}

// Operator set 8 scans each element of a batch.
TEST(OnnxDefinitionsTest, ScansOfABatch) {
  const auto scanned = [](testing::OnnxDim batch) {
    OnnxGraph body;
    body.Input("v", kFloat, {}).Input("e", kFloat, {});
    body.Node("Add", {"v", "e"}, {"w"}).Node("Identity", {"w"}, {"s"});
    body.Output("w", kFloat, {}).Output("s", kFloat, {});
    OnnxModel m;
    m.opset = 8;
    m.Input("x", kFloat, {batch}).Input("seq", kFloat, {batch, int64_t{3}});
    m.Node("Scan", {"", "x", "seq"}, {"y", "ys"}, {{"body", body}},
           {{"num_scan_inputs", int64_t{1}}});
    m.Output("y").Output("ys");
    return OnnxProgram(m.Bytes()).Run({{{2}, {10, 20}}, {{2, 3}, {1, 2, 3, 4, 5, 6}}});
  };
  EXPECT_EQ(scanned(int64_t{2}), "(2,): 16 35; (2, 3): 11 13 16 24 29 35");
  EXPECT_THAT(scanned("n"), HasSubstr("a batch that is not a constant from 1 to 64"));
}

// One constant batch is that of the other inputs, and those of a nest are multiplied.
TEST(OnnxDefinitionsTest, BatchesOfScans) {
  const auto scan = [](auto& g, const OnnxGraph& body) {
    g.Node("Scan", {"", "x", "seq"}, {"y"}, {{"body", body}}, {{"num_scan_inputs", int64_t{1}}});
  };
  OnnxGraph sum;
  sum.Input("v", kFloat, {}).Input("e", kFloat, {});
  sum.Node("Add", {"v", "e"}, {"w"}).Output("w", kFloat, {});
  OnnxModel open;
  open.opset = 8;
  open.Input("x", kFloat, {"n"}).Input("seq", kFloat, {2, 2});
  scan(open, sum);
  open.Output("y");
  EXPECT_EQ(OnnxProgram(open.Bytes()).Run({{{2}, {10, 20}}, {{2, 2}, {1, 2, 3, 4}}}),
            "(2,): 13 27");
  EXPECT_THAT(OnnxProgram(open.Bytes()).Run({{{1}, {10}}, {{2, 2}, {1, 2, 3, 4}}}),
              HasSubstr("match_cast"));
  OnnxGraph inner;
  inner.Input("a", kFloat, {9}).Input("b", kFloat, {9, 1});
  inner.Node("Scan", {"", "a", "b"}, {"c"}, {{"body", sum}}, {{"num_scan_inputs", int64_t{1}}});
  inner.Output("c", kFloat, {9});
  OnnxModel nest;
  nest.opset = 8;
  nest.Input("x", kFloat, {8, 9}).Input("seq", kFloat, {8, 1, 9, 1});
  scan(nest, inner);
  nest.Output("y");
  EXPECT_THAT(OnnxProgram(nest.Bytes()).Errors(),
              HasSubstr("a batch that is not a constant from 1 to 8 is not supported in a batch"));
}

TEST(OnnxDefinitionsTest, UnsignedIndicesDoNotCountFromTheEnd) {
  OnnxModel m;
  m.Input("at", kInt64, {2}).Ints("depth", {}, {3}).Ints("values", {2}, {5, 7});
  m.Node("Cast", {"at"}, {"u"}, {{"to", int64_t{13}}});
  m.Node("OneHot", {"u", "depth", "values"}, {"y"})
      .Node("OneHot", {"at", "depth", "values"}, {"z"});
  m.Output("y").Output("z");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{2}, {1, -1}, "int64"}}),
            "(2, 3): 5 7 5 5 5 5; (2, 3): 5 7 5 5 5 7");
}

TEST(OnnxDefinitionsTest, AClipOfZeroIsABound) {
  OnnxModel m;
  m.Input("x", kFloat, {1, 1, 1});
  m.Floats("w", {1, 1, 1}, {1});
  m.Floats("r", {1, 1, 1}, {1});
  m.Node("RNN", {"x", "w", "r"}, {"", "y"}, {{"hidden_size", int64_t{1}}, {"clip", 0.0f}});
  m.Output("y");
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({{{1, 1, 1}, {5}}}), "(1, 1, 1): 0");
}

TEST(OnnxDefinitionsTest, ANegativeSoftcapIsNone) {
  const auto attend = [](float softcap) {
    OnnxModel m;
    m.opset = 23;
    for (const char* name : {"q", "k", "v"}) m.Input(name, kFloat, {1, 1, 2, 1});
    m.Node("Attention", {"q", "k", "v"}, {"y"}, {{"softcap", softcap}});
    m.Output("y");
    const testing::OnnxArgument q = {{1, 1, 2, 1}, {1, 2}}, v = {{1, 1, 2, 1}, {0, 1}};
    return OnnxProgram(m.Bytes()).Run({q, {{1, 1, 2, 1}, {3, 5}}, v});
  };
  EXPECT_EQ(attend(-1.5f), attend(0));
  EXPECT_NE(attend(1.5f), attend(0));
}

TEST(OnnxDefinitionsTest, BranchesReturnStrings) {
  const auto branch = [](const std::string& word) {
    OnnxGraph graph;
    graph.Node("Constant", {}, {"t"}, {{"value_strings", Names{word}}});
    graph.Node("StringConcat", {"t", "s"}, {"out"});
    graph.Output("out", testing::kString, {1});
    return graph;
  };
  OnnxModel m;
  m.Input("taken", kBool, {});
  m.Node("Constant", {}, {"s"}, {{"value_strings", Names{"c"}}});
  m.Node("If", {"taken"}, {"chosen"}, {{"then_branch", branch("a")}, {"else_branch", branch("b")}});
  m.Node("Constant", {}, {"wanted"}, {{"value_strings", Names{"bc"}}});
  m.Node("Equal", {"chosen", "wanted"}, {"y"});
  m.Output("y");
  OnnxProgram program(m.Bytes());
  ASSERT_EQ(program.Errors(), "");
  EXPECT_EQ(program.Run({{{}, {0}, "bool"}}), "(1,): True");
  EXPECT_EQ(program.Run({{{}, {1}, "bool"}}), "(1,): False");
}

TEST(OnnxDefinitionsTest, StatesOfLinearAttentionHaveATypeOfTheirOwn) {
  OnnxModel m;
  m.opset = 27;
  for (const char* name : {"q", "k", "v"}) m.Input(name, testing::kFloat16, {1, 1, 1});
  m.Input("past", kFloat, {1, 1, 1, 1});
  m.Node("LinearAttention", {"q", "k", "v", "past"}, {"y", "present"},
         {{"q_num_heads", int64_t{1}},
          {"kv_num_heads", int64_t{1}},
          {"update_rule", std::string("linear")},
          {"scale", 1.0f}});
  m.Output("present", kFloat, {1, 1, 1, 1});
  const testing::OnnxArgument one = {{1, 1, 1}, {1}, "float16"};
  EXPECT_EQ(OnnxProgram(m.Bytes()).Run({one, one, one, {{1, 1, 1, 1}, {0.0001}}}),
            "(1, 1, 1, 1): 1.0001");
}

TEST(OnnxDefinitionsTest, CausalConvolutionsOfDynamicChannels) {
  OnnxModel m;
  m.opset = 27;
  m.Input("x", kFloat, {1, std::string("c"), 3});
  m.Input("w", kFloat, {std::string("c"), 1, 2});
  m.Node("CausalConvWithState", {"x", "w"}, {"y", "present"});
  m.Output("y");
  m.Output("present");
  OnnxProgram program(m.Bytes());
  ASSERT_EQ(program.Errors(), "");
  EXPECT_EQ(program.Run({{{1, 1, 3}, {1, 2, 3}}, {{1, 1, 2}, {10, 1}}}),
            "(1, 1, 3): 1 12 23; (1, 1, 1): 3");
}

TEST(OnnxDefinitionsTest, PatternsMatchWholeStrings) {
  const auto match = [](const std::string& pattern) {
    OnnxModel m;
    m.Node("Constant", {}, {"x"}, {{"value_strings", Names{"ab", "a", "aab"}}});
    m.Input("unused", kFloat, {1});
    m.Node("RegexFullMatch", {"x"}, {"y"}, {{"pattern", pattern}});
    m.Output("y");
    return OnnxProgram(m.Bytes()).Run({{{1}, {0}}});
  };
  EXPECT_EQ(match("a+b"), "(3,): True False True");
  EXPECT_THAT(match("(a"), HasSubstr("'pattern' is invalid: a '(' without ')'"));
  EXPECT_THAT(match("\\pL"), HasSubstr("the escape '\\p', which is not supported"));
}

}  // namespace
}  // namespace lathe::onnx
