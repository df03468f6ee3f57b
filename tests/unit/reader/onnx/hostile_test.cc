// Tests malformed files that no exporter writes: each is read or rejected, without a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/format/external_data.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::OnnxGraph;
using testing::OnnxModel;
using testing::OnnxProgram;
using testing::WireWriter;

OnnxModel Sample() {
  OnnxModel m;
  m.Input("x", 1, {"n", 3, 4});
  m.Floats("w", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  m.Ints("shape", {2}, {-1, 6});
  m.Node("MatMul", {"x", "w"}, {"p"});
  m.Node("Softmax", {"p"}, {"s"}, {{"axis", int64_t{-1}}});
  m.Node("Reshape", {"s", "shape"}, {"r"});
  m.Node("Transpose", {"r"}, {"y"}, {{"perm", std::vector<int64_t>{1, 0}}});
  m.Output("y", 1, {6, "n"});
  return m;
}

// Changes every byte of the file, in three ways.
TEST(HostileOnnxTest, AnyByteMayBeAnother) {
  const std::string bytes = Sample().Bytes();
  ASSERT_EQ(OnnxProgram(bytes).Errors(), "");
  int refused = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (int change : {0x01, 0x80, 0xff}) {
      std::string other = bytes;
      other[at] = static_cast<char>(other[at] ^ change);
      OnnxProgram program(other);
      EXPECT_EQ(program.module.has_value(), !program.diags.has_errors()) << at << " " << change;
      refused += program.module ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 150);
}

std::string TensorOf(std::vector<int64_t> dims, int type, const std::string& raw) {
  WireWriter tensor;
  for (const int64_t dim : dims) tensor.Varint(1, dim);
  return tensor.Varint(2, type).Bytes(8, "w").Bytes(9, raw).bytes();
}

std::string ErrorsOfTensor(const std::string& tensor) {
  OnnxModel m;
  m.Initializer(tensor);
  m.Node("Relu", {"w"}, {"y"});
  m.Output("y");
  return OnnxProgram(m.Bytes()).Errors();
}

TEST(HostileOnnxTest, MalformedTensors) {
  const std::string four(16, '\0');
  EXPECT_THAT(ErrorsOfTensor(TensorOf({-1}, 1, four)), HasSubstr("has a dimension of -1"));
  EXPECT_THAT(ErrorsOfTensor(TensorOf({int64_t{1} << 62, int64_t{1} << 62}, 1, four)),
              HasSubstr("has more elements than a file can hold"));
  EXPECT_THAT(ErrorsOfTensor(TensorOf({int64_t{1} << 38}, 1, four)),
              HasSubstr("[onnx-bad-tensor]"));
  EXPECT_THAT(ErrorsOfTensor(TensorOf({5}, 1, four)),
              HasSubstr("has 16 bytes of data, but its dimensions and type specify 20"));
  EXPECT_THAT(ErrorsOfTensor(TensorOf({4}, 99, four)), HasSubstr("element type 99"));
  EXPECT_THAT(ErrorsOfTensor(TensorOf({2}, 14, four)), HasSubstr("complex64"));
  EXPECT_THAT(ErrorsOfTensor(TensorOf(std::vector<int64_t>(40, 1), 1, "abcd")),
              HasSubstr("more than 32 dimensions [onnx-limit]"));
}

TEST(HostileOnnxTest, GraphsWithinGraphsEnd) {
  OnnxGraph inner;
  inner.Output("x");
  for (int i = 0; i < 100; ++i) {
    OnnxGraph outer;
    outer.Node("If", {"c"}, {"x"}, {{"then_branch", inner}, {"else_branch", inner}});
    if (i > 60) break;
    OnnxGraph next;
    next.Node("If", {"c"}, {"x"}, {{"then_branch", inner}});
    next.Output("x");
    inner = next;
  }
  OnnxModel m;
  m.Input("c", 9, {});
  m.Node("If", {"c"}, {"y"}, {{"then_branch", inner}, {"else_branch", inner}});
  m.Output("y");
  EXPECT_THAT(OnnxProgram(m.Bytes()).Errors(), HasSubstr("[onnx-limit]"));
}

// Functions that call the next one twice, forty levels deep, would inline to 10^12 nodes.
TEST(HostileOnnxTest, ExpandingFunctionsAreLimited) {
  OnnxModel m;
  m.opsets = {{"f", 1}};
  for (int i = 0; i < 36; ++i) {
    const std::string next = absl::StrCat("F", i + 1);
    m.functions.push_back(testing::OnnxFunction("f", absl::StrCat("F", i), {"v"}, {"w"},
                                                {testing::OnnxNode(next, {"v"}, {"a"}, {}, "f"),
                                                 testing::OnnxNode(next, {"a"}, {"w"}, {}, "f")}));
  }
  m.functions.push_back(testing::OnnxFunction("f", "F36", {"v"}, {"w"}, {}));
  m.Input("x", 1, {1});
  m.Node("F0", {"x"}, {"y"}, std::vector<testing::OnnxAttribute>{}, "f");
  m.Output("y", 1, {1});
  EXPECT_THAT(OnnxProgram(m.Bytes()).Errors(), HasSubstr("[onnx-limit]"));
}

TEST(HostileOnnxTest, ExternalDataStaysInTheFolder) {
  for (const char* location : {"/etc/passwd", "../x", "a/../../x", "..", "a/b/../../../x", "..\\x",
                               "/", "", "a/..", "."}) {
    const auto read = ReadExternalData({{"location", location}}, "/tmp", 4);
    EXPECT_FALSE(read.ok()) << location;
  }
  EXPECT_FALSE(ReadExternalData({}, "/tmp", 4).ok());
}

TEST(HostileOnnxTest, NamesBecomeIdentifiers) {
  OnnxModel m;
  const std::string name = "a\"; system(\"rm\"); //\n" + std::string(100000, 'z');
  m.Input(name, 1, {2});
  m.Node("Relu", {name}, {"*/ int y"});
  m.Output("*/ int y", 1, {2});
  const std::string text = OnnxProgram(m.Bytes()).Text();
  EXPECT_THAT(text, HasSubstr("R.nn.relu(a___system"));
  EXPECT_THAT(text, HasSubstr("___int_y"));
  EXPECT_LT(text.size(), 2000u);
}

}  // namespace
}  // namespace lathe::onnx
