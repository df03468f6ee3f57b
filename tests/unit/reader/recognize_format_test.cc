// Files of formats that are not read, or have another name: one line names the format, and no byte
// of a binary file is shown.
#include "generator/reader/recognize_format.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/matchers.h"
#include "tests/support/run_lathe.h"
#include "tests/support/scratch_directory.h"

namespace lathe {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class RecognizeFormatTest : public ::testing::Test {
 protected:
  // The errors of `lathe check NAME`, which must be of one line.
  static std::string Message(const std::string& name, const std::string& bytes) {
    EXPECT_THAT(WriteFile(name, bytes), IsOk());
    const LatheRun run = RunLatheOn({"check", name});
    EXPECT_EQ(run.exit, 3) << run.err;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
    EXPECT_THAT(run.err, HasSubstr("supported are Relax as TVMScript text (.py), ONNX (.onnx)"));
    return run.err;
  }
  static std::string Onnx() {
    return std::string("\x08\x07\x12\x04made:\x02\x0a\x00", 12) + std::string(40, '\0');
  }

  ScratchDirectory scratch_;
};

TEST_F(RecognizeFormatTest, NamesOfBinaryFiles) {
  const std::string zeros(40, '\0');
  EXPECT_THAT(
      Message("model.bin", Onnx()),
      StartsWith("model.bin: error: this is an ONNX model, whose name must end with .onnx"));
  EXPECT_THAT(Message("model.tflite", Onnx()), HasSubstr("this is an ONNX model"));
  EXPECT_THAT(Message("model.py", Onnx()), HasSubstr("this is an ONNX model"));
  EXPECT_THAT(Message("model.onnx", absl::StrCat(std::string("\x1c\0\0\0", 4), "TFL3", zeros)),
              HasSubstr("this is a TFLite model, whose name must end with .tflite"));
  EXPECT_THAT(Message("prog", absl::StrCat("\x7f", "ELF", zeros)),
              StartsWith("prog: error: this is compiled code (ELF);"));
  EXPECT_THAT(Message("model.keras", absl::StrCat("PK\x03\x04", zeros)),
              HasSubstr("a ZIP archive"));
  EXPECT_THAT(Message("model.h5", absl::StrCat("\x89HDF\r\n", zeros)), HasSubstr("an HDF5 file"));
  EXPECT_THAT(Message("data.bin", absl::StrCat("data", zeros)), HasSubstr("this is a binary file"));
  EXPECT_THAT(Message("model.pt", "PK"), HasSubstr("this is a PyTorch model"));
}

TEST_F(RecognizeFormatTest, TextThatIsNotTvmScriptHasOneMessage) {
  const std::string manual = "# Net\n\nThis is a manual, with (brackets.\n\n\tand ] more\n";
  EXPECT_THAT(Message("README.md", manual),
              StartsWith("README.md: error: unknown suffix '.md'; read as TVMScript, which it is "
                         "not (README.md:3:"));
  EXPECT_THAT(Message("README", manual), StartsWith("README: error: no suffix; read as TVMScript"));
}

TEST_F(RecognizeFormatTest, TvmScriptOfAnyNameIsRead) {
  const std::string text =
      "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Net:\n    @R.function\n"
      "    def main(x: R.Tensor((4,), \"float32\")):\n        return ";
  ASSERT_THAT(WriteFile("net.txt", absl::StrCat(text, "R.exp(x)\n")), IsOk());
  EXPECT_EQ(RunLatheOn({"check", "net.txt"}).exit, 0);
  ASSERT_THAT(WriteFile("net.txt", absl::StrCat(text, "R.exp(z)\n")), IsOk());
  const LatheRun wrong = RunLatheOn({"check", "net.txt"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_THAT(wrong.err, StartsWith("net.txt:7:"));
}

TEST_F(RecognizeFormatTest, OnlyTheBeginningOfAModelIsOnnx) {
  EXPECT_TRUE(IsOnnxModel(Onnx()));
  EXPECT_TRUE(IsOnnxModel(std::string("\x08\x03\x28\x00", 4)));
  for (const std::string& other :
       {std::string(), std::string("\x08"), std::string("\x08\x07"), std::string("\x08\x00\x12", 3),
        std::string("\x08\x07\x13"), std::string("\x08\x07\x0a"), std::string("\x0a\x07\x12"),
        std::string("\x08\x87\x12"), std::string("# text")}) {
    EXPECT_FALSE(IsOnnxModel(other)) << other;
  }
}

}  // namespace
}  // namespace lathe
