// Tests -D for ONNX models: equivalent to constants in the file, in every verb.
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/onnx_writer.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::OnnxDim;
using testing::OnnxModel;
using testing::WireWriter;

using testing::kFloat;

// A recurrent layer, whose steps are unrolled.
OnnxModel Layer(const OnnxDim& steps) {
  OnnxModel m;
  m.Input("x", kFloat, {steps, int64_t{1}, int64_t{1}});
  m.Floats("w", {1, 1, 1}, {0.5F}).Floats("r", {1, 1, 1}, {0.25F});
  m.Node("RNN", {"x", "w", "r"}, {"", "y"}, {{"hidden_size", int64_t{1}}});
  m.Output("y");
  return m;
}

// A sum that is broadcast or not, and what asks for its shape.
OnnxModel Sum(const OnnxDim& a, const OnnxDim& b) {
  OnnxModel m;
  m.Input("x", kFloat, {a, int64_t{2}}).Input("y", kFloat, {b, int64_t{2}});
  m.Node("Add", {"x", "y"}, {"s"}).Node("Softmax", {"s"}, {"z"}).Output("z");
  return m;
}

struct Twins {
  OnnxModel open, fixed;
  std::string sizes;
};

TEST(OnnxSizesTest, TheSameAsInTheFileInEveryVerb) {
  const ScratchDirectory folder;
  const std::vector<Twins> all = {
      {Layer("unk__232"), Layer(int64_t{3}), " -D unk__232=3"},
      {Sum("a", "batch size"), Sum(int64_t{3}, int64_t{1}), " -D a=3 -D \"batch size=1\""},
      {Sum("a", "batch size"), Sum(int64_t{3}, int64_t{3}), " -D a=3 -D batch_size=3"},
  };
  for (const Twins& twins : all) {
    for (const std::string verb :
         {"check", "inspect", "inspect --format steps", "run --random seed=1", "analyze",
          "compile -o out", "validate"}) {
      ASSERT_TRUE(WriteFile("m.onnx", twins.fixed.Bytes()).ok());
      const LatheRun fixed = RunLatheWords(verb + " m.onnx");
      ASSERT_TRUE(WriteFile("m.onnx", twins.open.Bytes()).ok());
      const LatheRun open = RunLatheWords(verb + " m.onnx" + twins.sizes);
      EXPECT_EQ(open.exit, 0) << verb << twins.sizes << open.err;
      EXPECT_EQ(open.out, fixed.out) << verb << twins.sizes;
    }
  }
}

TEST(OnnxSizesTest, NamesThatExistAreListed) {
  const ScratchDirectory folder;
  ASSERT_TRUE(WriteFile("m.onnx", Sum("unk__232", "").Bytes()).ok());
  for (const char* verb :
       {"check", "inspect", "run --random seed=1", "compile -o out", "analyze", "validate"}) {
    const LatheRun run = RunLatheWords(std::string(verb) + " m.onnx -D batch=4");
    EXPECT_EQ(run.exit, 1) << verb;
    EXPECT_THAT(run.err, HasSubstr("no input has a size 'batch'; there are 'unk__232', 'y_0'"));
  }
  EXPECT_THAT(RunLatheWords("check m.onnx -D unk_232=4").err,
              HasSubstr("did you mean 'unk__232'?"));
}

TEST(OnnxSizesTest, RangesAreBounds) {
  const ScratchDirectory folder;
  ASSERT_TRUE(WriteFile("m.onnx", Sum("a", "b").Bytes()).ok());
  EXPECT_THAT(RunLatheWords("inspect m.onnx -D a=1..8").out, HasSubstr("T.Select"));
  EXPECT_THAT(RunLatheWords("inspect m.onnx -D a=2..8 -D b=2..8").out, Not(HasSubstr("T.Select")));
  const LatheRun run =
      RunLatheWords("validate m.onnx -D a=2..8 -D b=2..8 --data random:seed=1,a=3,b=3");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(RunLatheWords("compile m.onnx -o out -D a=2..8 -D b=2..8").exit, 0);
}

TEST(OnnxSizesTest, TestDataOmitsInitializedInputs) {
  const ScratchDirectory folder;
  OnnxModel m;
  m.ir_version = 3;
  m.Input("w", kFloat, {int64_t{2}}).Input("x", kFloat, {int64_t{2}}).Floats("w", {2}, {1, 2});
  m.Node("Add", {"x", "w"}, {"y"}).Output("y");
  ASSERT_TRUE(WriteFile("m.onnx", m.Bytes()).ok());
  std::filesystem::create_directories("data");
  const auto floats = [](const std::vector<float>& values) {
    std::string raw(values.size() * sizeof(float), '\0');
    std::memcpy(raw.data(), values.data(), raw.size());
    return WireWriter().Varint(1, std::ssize(values)).Varint(2, kFloat).Bytes(9, raw).bytes();
  };
  ASSERT_TRUE(WriteFile("data/input_0.pb", floats({5, 6})).ok());
  // Inputs without outputs: the results are compared with the interpreter.
  EXPECT_EQ(RunLatheWords("validate m.onnx --data data --on interp").exit, 0);
  ASSERT_TRUE(WriteFile("data/output_0.pb", floats({6, 8})).ok());
  EXPECT_EQ(RunLatheWords("validate m.onnx --data data --on interp").exit, 0);
  ASSERT_TRUE(WriteFile("data/output_0.pb", floats({6, 9})).ok());
  EXPECT_EQ(RunLatheWords("validate m.onnx --data data --on interp").exit, 6);
}

}  // namespace
}  // namespace lathe
