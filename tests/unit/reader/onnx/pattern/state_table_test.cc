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

TEST(StateTableTest, FoldsTheCaseOfAllLetters) {
  EXPECT_EQ(Match("(?i)\xC3\xA9", "\xC3\x89"), "yes");              // e and E, acute
  EXPECT_EQ(Match("(?i)k[K]", "\xE2\x84\xAA\xE2\x84\xAA"), "yes");  // the Kelvin sign
  EXPECT_EQ(Match("(?i)[\xE2\x84\xAA]", "k"), "yes");
  EXPECT_EQ(Match("(?i)S", "\xC5\xBF"), "yes");  // the long s
  EXPECT_EQ(Match("(?i)stra\xC3\x9F"
                  "e",
                  "STRA\xE1\xBA\x9E"
                  "E"),
            "yes");  // the sharp s has a capital of one letter
  EXPECT_EQ(Match("(?i)stra\xC3\x9F"
                  "e",
                  "STRASSE"),
            "no");
  EXPECT_EQ(Match("(?i)\xCF\x83", "\xCF\x82"), "yes");                      // sigma and final sigma
  EXPECT_EQ(Match("(?i)[\xD0\xB0-\xD0\xB3]+", "\xD0\x90\xD0\x93"), "yes");  // Cyrillic
  EXPECT_EQ(Match("(?i)[\xD0\xB0-\xD0\xB3]+", "\xD0\x94"), "no");
  EXPECT_EQ(Match("(?i)\xC4\x80", "\xC4\x82"), "no");  // the next pair of letters
  EXPECT_EQ(Match("\xC3\xA9", "\xC3\x89"), "no");
}

TEST(StateTableTest, FoldsTheCaseOfNegatedClassesBeforeTheyAreNegated) {
  for (const char* negated : {"(?i)[[:^upper:]]", "(?i)[^[:upper:]]", "(?i)[[:^lower:]]", "(?i)\\W",
                              "(?i)[\\W]", "(?i)[^a-z]"}) {
    EXPECT_EQ(Match(negated, "a"), "no") << negated;
    EXPECT_EQ(Match(negated, "A"), "no") << negated;
    EXPECT_EQ(Match(negated, "\xC5\xBF"), "no") << negated;  // the long s is an s
    EXPECT_EQ(Match(negated, "!"), "yes") << negated;
  }
  EXPECT_EQ(Match("[[:^upper:]]", "a"), "yes");
}

TEST(StateTableTest, RepeatsTheCharacterBeforeAQuotationEnds) {
  EXPECT_EQ(Match("\\Qab\\E*", "abbb"), "yes");
  EXPECT_EQ(Match("\\Qab\\E*", "abab"), "no");
  EXPECT_EQ(Match("a\\Q\\E+", "aa"), "yes");
  EXPECT_EQ(Match("a(?i)+b", "aaB"), "yes");
  EXPECT_THAT(Match("\\Q\\E*", ""), HasSubstr("repetition of nothing"));
}

TEST(StateTableTest, ReadsOctalEscapes) {
  EXPECT_EQ(Match("\\012\\141", "\na"), "yes");
  EXPECT_EQ(Match("[\\060-\\062]\\60", "20"), "yes");
  EXPECT_EQ(Match("\\0612", "12"), "yes");
  EXPECT_EQ(Match("\\401", "\xC4\x81"), "yes");
  EXPECT_THAT(Match("(a)\\1", ""), HasSubstr("escape '\\1'"));
  EXPECT_THAT(Match("\\8", ""), HasSubstr("escape '\\8'"));
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
  EXPECT_THAT(Match("(?i)*a", ""), HasSubstr("repetition of nothing"));
  EXPECT_THAT(Match("a|{2}", ""), HasSubstr("repetition of nothing"));
  EXPECT_THAT(Match("a{1001}", ""), HasSubstr("out of range"));
  EXPECT_THAT(Match("a{1000000}", ""), HasSubstr("out of range"));
  EXPECT_EQ(Match("a{100000000}", "a{100000000}"), "yes");  // no count, as in RE2
  EXPECT_EQ(Match("a{01}", "a{01}"), "yes");
  EXPECT_THAT(Match("\\", ""), HasSubstr("at the end"));
  EXPECT_THAT(Match("\\pL", ""), HasSubstr("escape '\\p'"));
  EXPECT_THAT(Match("(?m)a", ""), HasSubstr("flag 'm'"));
  EXPECT_THAT(Match("(?<=a>)b", ""), HasSubstr("assertion about the text around"));
  EXPECT_THAT(Match("a(?!b)", ""), HasSubstr("assertion about the text around"));
  EXPECT_THAT(Match("(?<>b)", ""), HasSubstr("without a name"));
  EXPECT_THAT(Match("((a{100}){100}){100}", ""), HasSubstr("5000 steps"));
  EXPECT_THAT(Match("[ab]*a[ab]{12}", ""), HasSubstr("2000 states"));
  EXPECT_THAT(Match(std::string(300, '('), ""), HasSubstr("200 deep"));
}

// There are fewer states than the limit, but each is a set of a thousand places.
TEST(StateTableTest, EndsSoonForStatesOfManyPlaces) {
  std::string pattern = "(?:[ -~]?){1000}";
  EXPECT_EQ(Match(pattern, "some text"), "yes");
  for (char c = 'a'; c <= 'z'; ++c) pattern += std::string("|") + c;
  EXPECT_THAT(Match(pattern, ""), HasSubstr("too many places"));
}

}  // namespace
}  // namespace lathe::onnx
