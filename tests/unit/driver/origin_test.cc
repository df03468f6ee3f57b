#include "generator/driver/origin.h"

#include <string>
#include <vector>

#include "generator/driver/cli/parse_arguments.h"
#include "generator/driver/report/version.h"
#include "generator/support/files.h"
#include "generator/support/sha256.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace lathe::driver {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string Again(const std::vector<std::string>& words) {
  const auto line = ParseArguments(words);
  EXPECT_TRUE(line.ok()) << line.status();
  return CommandAgain(*line->verb, line->args);
}

TEST(OriginTest, CommandHasOptionsWithEffect) {
  EXPECT_EQ(Again({"compile", "/home/a/kws.tflite", "-o", "/tmp/out", "--target=cortex-m4f",
                   "--name", "kws", "-Dbatch=4", "--max-ram", "32K", "--golden", "-q"}),
            "lathe compile kws.tflite -D batch=4 -t cortex-m4f --golden");
}

// Committed files and those of a build, which gives more options, are compared.
TEST(OriginTest, EqualCommandsHaveOneText) {
  const std::string text = "lathe compile a.py -n b --golden";
  EXPECT_EQ(Again({"compile", "a.py", "--golden", "--name=b"}), text);
  EXPECT_EQ(Again({"compile", "/m/a.py", "-t", "generic-c99", "-n", "b", "--weights", "words",
                   "--externs=link", "--package", "plain", "--golden", "--cc", "gcc"}),
            text);
}

TEST(OriginTest, TheLastValueCounts) {
  EXPECT_EQ(Again({"compile", "a.py", "--weights", "incbin", "--weights", "words"}),
            "lathe compile a.py");
  EXPECT_EQ(Again({"compile", "a.py", "--weights=words", "--weights=incbin", "--seed", "1"}),
            "lathe compile a.py --weights=incbin");
  EXPECT_EQ(Again({"compile", "a.onnx", "-Dn=4", "--like", "data/", "-Dm=2"}),
            "lathe compile a.onnx -D n=4 -D m=2 --like=data");
}

TEST(OriginTest, CommandHasNamesOfFiles) {
  EXPECT_EQ(Again({"compile", "m/a.py", "--params", "/w/trained.npz", "--tap", "block/out"}),
            "lathe compile a.py --params=trained.npz --tap=block/out");
}

TEST(OriginTest, CommandIsQuotedForAShell) {
  EXPECT_EQ(Again({"compile", "it's mine.py"}), R"(lathe compile 'it'\''s mine.py')");
}

TEST(OriginTest, LinesNameTheModelAndItsFiles) {
  const std::string weights = ::testing::TempDir() + "/origin_test.bin";
  ASSERT_TRUE(WriteFile(weights, "weights").ok());
  const SourceFile model("folder/net.onnx", "abc");
  const auto lines = OriginLines("lathe compile net.onnx", model, {weights});
  ASSERT_TRUE(lines.ok()) << lines.status();
  EXPECT_THAT(
      *lines,
      ElementsAre("version: lathe " + std::string(Version()), "command: lathe compile net.onnx",
                  "model: net.onnx, SHA-256 "
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                  "with: origin_test.bin, SHA-256 " + Sha256Of("weights")));
}

TEST(OriginTest, LongCommandsContinue) {
  std::string command = "lathe compile net.onnx";
  for (int i = 0; i < 20; ++i) command += " --tap=tensor_" + std::to_string(i);
  const auto lines = OriginLines(command, SourceFile("net.onnx", ""), {});
  ASSERT_TRUE(lines.ok()) << lines.status();
  ASSERT_THAT(*lines, SizeIs(6));
  EXPECT_THAT((*lines)[2], HasSubstr("  --tap=tensor_"));
  for (const std::string& line : *lines) EXPECT_LE(line.size(), 96u) << line;
}

TEST(OriginTest, AMissingFileIsAnError) {
  const auto lines = OriginLines("lathe compile a.onnx", SourceFile("a.onnx", ""), {"/absent.bin"});
  EXPECT_THAT(std::string(lines.status().message()), HasSubstr("/absent.bin"));
}

}  // namespace
}  // namespace lathe::driver
