// Tests options of verbs that are specific to ONNX models: test data, --outputs, external files.
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
using testing::OnnxModel;
using testing::WireWriter;

using testing::kFloat;

std::string TensorFile(const std::vector<int64_t>& dims, const std::vector<float>& values) {
  WireWriter tensor;
  for (const int64_t dim : dims) tensor.Varint(1, dim);
  std::string raw(values.size() * sizeof(float), '\0');
  std::memcpy(raw.data(), values.data(), raw.size());
  return tensor.Varint(2, kFloat).Bytes(9, raw).bytes();
}

void Write(const std::string& path, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder);
  ASSERT_TRUE(WriteFile(path, text).ok());
}

// h = x + 1, y = -h, and, with `unknown`, z of an unknown operator.
OnnxModel Sample(bool unknown = false) {
  OnnxModel m;
  m.Input("x", kFloat, {"n"});
  m.Floats("one", {}, {1});
  m.Node("Add", {"x", "one"}, {"h"});
  m.Node("Neg", {"h"}, {"y"});
  if (unknown) m.Node("Frobnicate", {"y"}, {"z"});
  m.Output(unknown ? "z" : "y");
  return m;
}

TEST(OnnxOptionsTest, TestDataHasExpectedOutputs) {
  const ScratchDirectory folder;
  Write("m/model.onnx", Sample().Bytes());
  Write("m/test_data_set_0/input_0.pb", TensorFile({2}, {1, 2}));
  Write("m/test_data_set_0/output_0.pb", TensorFile({2}, {-2, -3.001F}));
  Write("m/test_data_set_1/input_0.pb", TensorFile({3}, {1, 2, 3}));
  Write("m/test_data_set_1/output_0.pb", TensorFile({3}, {-2, -3, -4.1F}));
  for (const char* on : {"host", "interp"}) {
    const std::string place = std::string(" --on ") + on;
    const LatheRun both = RunLatheWords("validate m/model.onnx --data m" + place);
    EXPECT_EQ(both.exit, 6) << both.err;
    EXPECT_THAT(both.out, HasSubstr("test_data_set_0\n"));
    EXPECT_THAT(both.out, HasSubstr("1 of 3 differ, first at 2"));
    const std::string first = "validate m/model.onnx --data m/test_data_set_0" + place;
    EXPECT_EQ(RunLatheWords(first).exit, 0);
    EXPECT_EQ(RunLatheWords(first + " --rtol 1e-6").exit, 6);
  }
  Write("m/test_data_set_0/output_0.pb", TensorFile({3}, {-2, -3, 0}));
  const LatheRun other = RunLatheWords("validate m/model.onnx --data m/test_data_set_0");
  EXPECT_EQ(other.exit, 6);
  EXPECT_THAT(other.err, HasSubstr("output 0 is float32 of (2,), but in the data float32 of (3,)"));
}

TEST(OnnxOptionsTest, InvalidTestData) {
  const ScratchDirectory folder;
  Write("m/model.onnx", Sample().Bytes());
  const LatheRun none = RunLatheWords("validate m/model.onnx --data m");
  EXPECT_EQ(none.exit, 5);
  EXPECT_THAT(none.err, HasSubstr("has neither folders test_data_set_0, ... nor files"));
  Write("m/input_0.pb", "\xff\xff");
  Write("m/output_0.pb", "");
  EXPECT_NE(RunLatheWords("validate m/model.onnx --data m").exit, 0);
  Write("m/p.py", "");
  EXPECT_EQ(RunLatheWords("validate m/p.py --data m").exit, 1);
}

TEST(OnnxOptionsTest, EachNodeIsCompared) {
  const ScratchDirectory folder;
  Write("m.onnx", Sample().Bytes());
  const LatheRun run = RunLatheWords("validate m.onnx --per-node --data random:seed=1,n=5");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("2 values of nodes ok\nPASS\n"));
  // A compiler for which 1 is 2: the first node that it spoils is named.
  Write("spoils",
        "#!/bin/sh\nfor word; do case $word in *model.c)\n"
        "  sed -i 's/    1.0f,/    2.0f,/' $word;; esac; done\nexec cc \"$@\"\n");
  std::filesystem::permissions("spoils", std::filesystem::perms::owner_all);
  const LatheRun wrong =
      RunLatheWords("validate m.onnx --per-node --data random:seed=1,n=5 --cc ./spoils");
  EXPECT_EQ(wrong.exit, 6) << wrong.err;
  EXPECT_THAT(wrong.out, HasSubstr("h (Add #0 'Add_node') "));
  EXPECT_THAT(wrong.out, HasSubstr("differ, first at 0\nFAIL\n"));
}

TEST(OnnxOptionsTest, CutsGraphsAtOutputs) {
  const ScratchDirectory folder;
  Write("m.onnx", Sample(true).Bytes());
  const LatheRun whole = RunLatheWords("compile m.onnx -o out");
  EXPECT_EQ(whole.exit, 3);
  EXPECT_THAT(whole.err, HasSubstr("'Frobnicate'"));
  EXPECT_THAT(whole.err, HasSubstr("end the graph before it with --outputs"));
  EXPECT_EQ(RunLatheWords("compile m.onnx -o out --outputs h --outputs y").exit, 0);
  EXPECT_EQ(RunLatheWords("analyze m.onnx --outputs y -D n=4").exit, 0);
  EXPECT_EQ(RunLatheWords("validate m.onnx --outputs y -D n=4").exit, 0);
  const LatheRun run = RunLatheWords("run m.onnx --outputs h --random seed=1 -D n=4");
  EXPECT_EQ(run.exit, 0) << run.err;
  const LatheRun unknown = RunLatheWords("compile m.onnx -o out --outputs hh");
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_THAT(unknown.err, HasSubstr("has no value 'hh' to be its output"));
  Write("p.py", "");
  EXPECT_EQ(RunLatheWords("compile p.py --outputs h").exit, 1);
}

// How many parts there are is in an input, which the data set says.
TEST(OnnxOptionsTest, LikeFixesSymbolicSizes) {
  const ScratchDirectory folder;
  OnnxModel m;
  m.Input("x", kFloat, {4});
  m.Input("each", 7, {});
  m.Node("SplitToSequence", {"x", "each"}, {"parts"});
  m.Node("SequenceLength", {"parts"}, {"count"});
  m.Node("ConcatFromSequence", {"parts"}, {"y"}, {{"axis", int64_t{0}}});
  m.Output("y");
  Write("m/model.onnx", m.Bytes());
  Write("m/input_0.pb", TensorFile({4}, {1, 2, 3, 4}));
  Write("m/input_1.pb", WireWriter().Varint(2, 7).Varint(7, 3).bytes());
  Write("m/output_0.pb", TensorFile({4}, {1, 2, 3, 4}));
  EXPECT_EQ(RunLatheWords("compile m/model.onnx -o out").exit, 3);
  const LatheRun run = RunLatheWords("compile m/model.onnx -o out --like m");
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_EQ(RunLatheWords("analyze m/model.onnx --like m").exit, 0);
  EXPECT_EQ(RunLatheWords("validate m/model.onnx --data m").exit, 0);
  EXPECT_EQ(RunLatheWords("compile m/model.onnx -o out --like nowhere").exit, 5);
  Write("p.py", "");
  EXPECT_EQ(RunLatheWords("compile p.py --like m").exit, 1);
}

TEST(OnnxOptionsTest, FilesWithDataAreDependencies) {
  const ScratchDirectory folder;
  OnnxModel m;
  m.Input("x", kFloat, {2});
  const auto entry = [](const char* key, const char* value) {
    return WireWriter().Bytes(1, key).Bytes(2, value).bytes();
  };
  WireWriter tensor;
  tensor.Varint(1, 2).Varint(2, kFloat).Bytes(8, "w").Bytes(13, entry("location", "a/w.bin"));
  m.Initializer(tensor.Varint(14, 1).bytes());
  m.Node("Add", {"x", "w"}, {"y"});
  m.Output("y");
  Write("m/model.onnx", m.Bytes());
  Write("m/a/w.bin", std::string(8, '\0'));
  const LatheRun run = RunLatheWords("compile m/model.onnx -o out -n model -MD");
  ASSERT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(*ReadFile("out/model.d"), HasSubstr("m/model.onnx \\\n  m/a/w.bin\n"));
}

}  // namespace
}  // namespace lathe
