// Tests which strings the automata of regular expressions accept.
#include "generator/reader/onnx/pattern/state_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace lathe::onnx {
namespace {

using ::testing::HasSubstr;

// Returns "yes", "no" or what is wrong with the pattern.
std::string Match(const std::string& text, const std::string& string) {
  const auto pattern = ParsePattern(text);
  if (!pattern.ok()) return std::string(pattern.status().message());
  const auto table = TableOf(*pattern);
  if (!table.ok()) return std::string(table.status().message());
  int state = 0;
  for (const char c : string) {
    const int kind = table->classes[static_cast<uint8_t>(c)];
    state = table->next[static_cast<size_t>(state * table->class_count + kind)];
  }
  return table->is_accepted[static_cast<size_t>(state)] ? "yes" : "no";
}

TEST(StateTableTest, MatchesWholeStringsOnly) {
  EXPECT_EQ(Match("abc", "abc"), "yes");
  EXPECT_EQ(Match("abc", "abcd"), "no");
  EXPECT_EQ(Match("abc", "ab"), "no");
  EXPECT_EQ(Match("", ""), "yes");
  EXPECT_EQ(Match("", "a"), "no");
  EXPECT_EQ(Match("a|bc|", "bc"), "yes");
  EXPECT_EQ(Match("a|bc|", ""), "yes");
}

TEST(StateTableTest, CountsRepetitions) {
  EXPECT_EQ(Match("(ab){2,3}", "ab"), "no");
  EXPECT_EQ(Match("(ab){2,3}", "abab"), "yes");
  EXPECT_EQ(Match("(ab){2,3}", "ababab"), "yes");
  EXPECT_EQ(Match("(ab){2,3}", "abababab"), "no");
  EXPECT_EQ(Match("a{2,}", "aaaaa"), "yes");
  EXPECT_EQ(Match("a{0}b", "b"), "yes");
  EXPECT_EQ(Match("(a*)*b", "aaab"), "yes");
  EXPECT_EQ(Match("a{,2}", "a{,2}"), "yes");  // no count
  EXPECT_EQ(Match("x+?y*?z??", "xxyz"), "yes");
}

TEST(StateTableTest, KnowsClassesAndEscapes) {
  EXPECT_EQ(Match("[\\w.-]+@[^a-y]", "a.b-C_1@z"), "yes");
  EXPECT_EQ(Match("[\\w.-]+@[^a-y]", "a@b"), "no");
  EXPECT_EQ(Match("[]a]+[-x]", "]a-"), "yes");
  EXPECT_EQ(Match("[[:digit:]]+[[:^alpha:]]", "12!"), "yes");
  EXPECT_EQ(Match("\\x41\\x{42}\\.\\Q.*\\E", "AB..*"), "yes");
  EXPECT_EQ(Match("(?i:aB)c", "Abc"), "yes");
  EXPECT_EQ(Match("(?i:aB)c", "AbC"), "no");
  EXPECT_EQ(Match("(?i)[b-c]+", "bCB"), "yes");
  EXPECT_EQ(Match(".", "\n"), "no");
  EXPECT_EQ(Match("(?s).", "\n"), "yes");
}

TEST(StateTableTest, ReadsCharactersOfUtf8) {
  EXPECT_EQ(Match(".", "\xC3\xA9"), "yes");
  EXPECT_EQ(Match("..", "\xC3\xA9"), "no");
  EXPECT_EQ(Match("[\xC3\xA0-\xE4\xB8\xAD]+", "\xC3\xA9\xE4\xB8\xAD"), "yes");
  EXPECT_EQ(Match("[\xC3\xA0-\xE4\xB8\xAD]", "\xE4\xB8\xAE"), "no");
  EXPECT_EQ(Match(".", "\xF0\x9F\x98\x80"), "yes");
}

TEST(StateTableTest, ChecksPlacesInTheString) {
  EXPECT_EQ(Match("^a$", "a"), "yes");
  EXPECT_EQ(Match("a^b", "ab"), "no");
  EXPECT_EQ(Match("www\\.[\\w.-]+\\.\\bcom\\b", "www.onnx.com"), "yes");
  EXPECT_EQ(Match("a\\b.*", "ab"), "no");
  EXPECT_EQ(Match("a\\b.*", "a b"), "yes");
  EXPECT_EQ(Match("a\\Bb", "ab"), "yes");
  EXPECT_EQ(Match("(\\W|^)x(\\W|$)", "x"), "yes");
  EXPECT_EQ(Match("(\\W|^)x(\\W|$)", " x."), "yes");
  EXPECT_EQ(Match("\\b", ""), "no");
  EXPECT_EQ(Match("\\B", ""), "yes");
}

TEST(StateTableTest, RejectsMalformedAndLargePatterns) {
  EXPECT_THAT(Match("(a", ""), HasSubstr("without ')'"));
  EXPECT_THAT(Match("a)", ""), HasSubstr("unmatched"));
  EXPECT_THAT(Match("[a", ""), HasSubstr("without ']'"));
  EXPECT_THAT(Match("[b-a]", ""), HasSubstr("not in order"));
  EXPECT_THAT(Match("*a", ""), HasSubstr("repetition of nothing"));
  EXPECT_THAT(Match("a**", ""), HasSubstr("repetition of a repetition"));
  EXPECT_THAT(Match("a{1001}", ""), HasSubstr("out of range"));
  EXPECT_THAT(Match("\\", ""), HasSubstr("at the end"));
  EXPECT_THAT(Match("\\pL", ""), HasSubstr("escape '\\p'"));
  EXPECT_THAT(Match("(?m)a", ""), HasSubstr("flag 'm'"));
  EXPECT_THAT(Match("((a{100}){100}){100}", ""), HasSubstr("5000 steps"));
  EXPECT_THAT(Match("[ab]*a[ab]{12}", ""), HasSubstr("2000 states"));
  EXPECT_THAT(Match(std::string(300, '('), ""), HasSubstr("200 deep"));
}

}  // namespace
}  // namespace lathe::onnx
