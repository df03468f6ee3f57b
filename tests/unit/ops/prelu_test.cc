// R.nn.prelu; and that ARCHITECTURE.md, which shows how an operator is added by it, says what is.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/support/files.h"
#include "gmock/gmock.h"
#include "tests/reference/array.h"
#include "tests/support/op_runner.h"
#include "tests/support/paths.h"

namespace lathe::ops {
namespace {

using reference::Array;
using reference::ForEach;
using reference::Shape;
using testing::ExpectNear;
using ::testing::HasSubstr;
using testing::RandomArray;
using testing::RunOp;
using testing::TypedArray;

TEST(PreluValues, ASlopeForEachChannelOrOneForAll) {
  const TypedArray x = RandomArray({2, 3, 4}, "float32", 2);
  const TypedArray slopes = RandomArray({3}, "float32", 3), one = RandomArray({1}, "float32", 4);
  Array each({2, 3, 4}), all({2, 3, 4});
  ForEach(x.array.shape, [&](const Shape& i) {
    const double v = x.array[i];
    each[i] = v > 0 ? v : v * slopes.array.data[i[1]];
    all[i] = v > 0 ? v : v * one.array.data[0];
  });
  ExpectNear(RunOp("nn.prelu", {x, slopes})[0], each);
  ExpectNear(RunOp("nn.prelu", {x, slopes}, {{"axis", -2}})[0], each);
  ExpectNear(RunOp("nn.prelu", {x, one}, {{"axis", 2}})[0], all);
}

std::string Without(absl::string_view text, absl::string_view margin) {
  std::vector<std::string> lines;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    absl::ConsumePrefix(&line, margin);
    lines.emplace_back(line);
  }
  return absl::StrJoin(lines, "\n");
}

// Each block of code below "## An operator" is part of the file it names.
TEST(Architecture, ExampleOperatorExists) {
  const std::string page = *ReadFile(SourcePath("ARCHITECTURE.md"));
  const size_t begin = page.find("## An operator");
  ASSERT_NE(begin, page.npos);
  const std::string section = page.substr(begin, page.find("\n## ", begin + 1) - begin);
  int shown = 0;
  std::string file;
  for (absl::string_view part : absl::StrSplit(section, "\n\n")) {
    if (!absl::StartsWith(part, "    ")) {
      const std::vector<std::string> quoted = absl::StrSplit(part, '`');
      if (quoted.size() > 1) file = quoted[1];
      continue;
    }
    const auto text = ReadFile(SourcePath(file));
    ASSERT_TRUE(text.ok()) << file;
    EXPECT_THAT(*text, HasSubstr(Without(absl::StripSuffix(part, "\n"), "    ")));
    ++shown;
  }
  EXPECT_EQ(shown, 4);
}

}  // namespace
}  // namespace lathe::ops
