#include "generator/emit/text/wrap_lines.h"

#include <sstream>
#include <string>

#include "gmock/gmock.h"

namespace lathe::emit {
namespace {

std::string Wrapped(std::string text) {
  WrapLines(text);
  return text;
}

std::string WithoutBlanks(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\n') out += c;
  }
  return out;
}

TEST(WrapLinesTest, ContinuesParameterListsBelow) {
  const std::string name(40, 'f');
  EXPECT_EQ(
      Wrapped("int " + name +
              "(const float *x, const float *y, const float *z, const float *w, int64_t n);\n"),
      "int " + name +
          "(const float *x, const float *y, const float *z,\n    const float *w, int64_t n);\n");
}

TEST(WrapLinesTest, BreaksOuterParenthesesFirst) {
  const std::string call = "lathe_sum(lathe_product(n, m, k), lathe_larger(count, 4))";
  EXPECT_EQ(Wrapped("  return " + call + " + " + call + " * 16;"),
            "  return " + call + "\n      + " + call + " * 16;");
}

TEST(WrapLinesTest, BreaksConditionsBeforeOperators) {
  std::string text = "  if (dims->n < 0";
  for (int i = 0; i < 8; ++i) text += " || dims->n > INT64_C(1099511627776)";
  text += ") {\n    return 1;\n  }\n";
  const std::string cut = Wrapped(text);
  EXPECT_THAT(cut, ::testing::HasSubstr("\n      || dims->n > INT64_C(1099511627776)"));
  std::string joined;
  for (size_t i = 0; i < cut.size(); ++i) {
    if (cut.compare(i, 9, "\n      ||") == 0) {
      joined += ' ';
      i += 6;
      continue;
    }
    joined += cut[i];
  }
  EXPECT_EQ(joined, text);
}

// Template arguments are broken last.
TEST(WrapLinesTest, TemplatesStayTogether) {
  const std::string tile = "tile<products_of_float16, 128, 256, 4>";
  EXPECT_EQ(Wrapped("    status = launch_products<" + tile + ">(some_products<" + tile +
                    ">, rows, columns, n, m);"),
            "    status = launch_products<" + tile + ">(\n        some_products<" + tile +
                ">, rows, columns, n, m);");
}

TEST(WrapLinesTest, BreaksAfterTheParenthesisOfALongName) {
  const std::string name(80, 'f');
  EXPECT_EQ(Wrapped("void " + name + "(const unsigned *from, long long many);"),
            "void " + name + "(\n    const unsigned *from, long long many);");
}

TEST(WrapLinesTest, OpenCommentsTextAndThePreprocessorStay) {
  const std::string many =
      "a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, a, b, c, d, "
      "e, f, g, h, i, j, k";
  for (const std::string before : {"#define X ", " * ", "/* ", "// ", "f(\"x\", "}) {
    EXPECT_EQ(Wrapped(before + many + ", l, m, n, o"), before + many + ", l, m, n, o");
  }
}

TEST(WrapLinesTest, CallsBreakBetweenArguments) {
  std::string call = "  f(";
  for (int i = 0; i < 40; ++i) call += "/* name */ a[" + std::to_string(i) + "], ";
  call += "last);\n";
  const std::string wrapped = Wrapped(call);
  EXPECT_EQ(WithoutBlanks(wrapped), WithoutBlanks(call));
  std::istringstream lines(wrapped);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u);
    EXPECT_TRUE(line.back() == ',' || line.back() == ';') << line;
  }
}

TEST(WrapLinesTest, CommentsBreakAtBlanks) {
  std::string comment = "  /* conv2d:";
  for (int i = 0; i < 30; ++i) comment += " layer" + std::to_string(i);
  const std::string wrapped = Wrapped(comment + " */\n");
  EXPECT_THAT(wrapped, ::testing::StartsWith("  /* conv2d: layer0"));
  EXPECT_THAT(wrapped, ::testing::HasSubstr("\n   * layer"));
  EXPECT_THAT(wrapped, ::testing::EndsWith("layer29 */\n"));
  std::istringstream lines(wrapped);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u);
}

TEST(WrapLinesTest, ShortLinesStay) {
  const std::string text = "int f(int a, int b) {\n  return a + b;\n}\n";
  EXPECT_EQ(Wrapped(text), text);
  EXPECT_EQ(Wrapped(""), "");
}

}  // namespace
}  // namespace lathe::emit
