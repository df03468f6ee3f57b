// Tests casts between numbers and strings, which are stored as rows of bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tests/support/onnx_program.h"
#include "tests/support/onnx_writer.h"

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;
using testing::OnnxArgument;
using testing::OnnxModel;
using testing::OnnxProgram;

using testing::kFloat;
using testing::kFloat16;
using testing::kInt32;
using testing::kInt64;
using testing::kString;

// Casts the numbers to strings and joins them with " ".
std::string Printed(int type, const std::string& dtype, const std::vector<double>& numbers) {
  const auto count = static_cast<int64_t>(numbers.size());
  OnnxModel m;
  m.Input("x", type, {count});
  m.Node("Cast", {"x"}, {"y"}, {{"to", int64_t{kString}}});
  m.Output("y", kString, {count});
  const std::string got = OnnxProgram(m.Bytes()).Run({{{count}, numbers, dtype}});
  const std::vector<std::string> parts = absl::StrSplit(got, ": ");
  if (parts.size() != 2 || parts[0].front() != '(') return got;
  std::vector<std::string> strings(numbers.size());
  size_t at = 0;
  constexpr size_t kWidth = 24;
  for (absl::string_view byte : absl::StrSplit(parts[1], ' ')) {
    int code = 0;
    EXPECT_TRUE(absl::SimpleAtoi(byte, &code)) << got;
    if (code != 0) strings[at / kWidth] += static_cast<char>(code);
    ++at;
  }
  return absl::StrJoin(strings, " ");
}

std::string CastStrings(int type, const std::vector<std::string>& strings) {
  constexpr int64_t kWidth = 16;
  const auto count = static_cast<int64_t>(strings.size());
  OnnxModel m;
  m.Input("x", kString, {count});
  m.Node("Cast", {"x"}, {"y"}, {{"to", int64_t{type}}});
  m.Output("y", type, {count});
  InputShapes shapes;
  shapes.widths = {{"x", kWidth}};
  OnnxArgument x{{count, kWidth}, {}, "uint8"};
  for (const std::string& s : strings) {
    for (size_t i = 0; i < kWidth; ++i) x.elements.push_back(i < s.size() ? s[i] : 0);
  }
  return OnnxProgram(m.Bytes(), shapes).Run({x});
}

TEST(OnnxStringCastsTest, FloatsArePrintedShortest) {
  EXPECT_EQ(Printed(kFloat, "float32", {0.1F, 0, -2.5, 100, 123456.78F, 0.3333333F, 0.00012345F}),
            "0.1 0.0 -2.5 100.0 123456.78 0.3333333 0.00012345");
  EXPECT_EQ(Printed(kFloat, "float32", {1e-5F, 1.17549435e-38F, -3.4028235e38F, 1e16F, 1e-45F}),
            "1e-05 1.1754944e-38 -3.4028235e+38 1e+16 1e-45");
  EXPECT_EQ(Printed(kFloat, "float32", {16777216, 9.99999e9F, 1e15F, -0.0}),
            "16777216.0 9999990000.0 1000000000000000.0 -0.0");
  EXPECT_EQ(Printed(kFloat, "float32", {NAN, INFINITY, -INFINITY}), "nan inf -inf");
  EXPECT_EQ(Printed(kFloat16, "float16", {0.1, 65504, 0.33325195}), "0.1 65500.0 0.3333");
}

TEST(OnnxStringCastsTest, IntegersArePrintedWhole) {
  EXPECT_EQ(Printed(kInt64, "int64", {0, -7, 1234567890123, -9223372036854775808.0}),
            "0 -7 1234567890123 -9223372036854775808");
  EXPECT_EQ(Printed(kInt32, "int32", {10, -2147483648.0}), "10 -2147483648");
}

TEST(OnnxStringCastsTest, StringsAreRead) {
  EXPECT_EQ(CastStrings(kFloat, {"0.1", "-2.5e3", "+7", "1E-2", "12345678901234", ".5", "3."}),
            "(7,): 0.1 -2500 7 0.01 1.2345679e+13 0.5 3");
  EXPECT_EQ(CastStrings(kFloat, {"NaN", "INF", "-inf", "+Infinity", "1e999", "1e-999", "0e99"}),
            "(7,): nan inf -inf inf inf 0 0");
  EXPECT_EQ(CastStrings(kInt32, {"-12", "2147483647"}), "(2,): -12 2147483647");
}

TEST(OnnxStringCastsTest, InvalidNumbersEndTheRun) {
  for (const char* word : {"", "x", "1x", "1e", "1e+", "--1", "1.2.3", "e5", "infin", ".", "-"}) {
    EXPECT_THAT(CastStrings(kFloat, {word}), HasSubstr("Cast needs strings that are numbers"))
        << word;
  }
  EXPECT_THAT(CastStrings(kInt32, {"1.5"}), HasSubstr("Cast needs integers of up to 18 digits"));
}

}  // namespace
}  // namespace lathe::onnx
