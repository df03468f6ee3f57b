// Tests the alignment of two sequences.
#include "generator/driver/compare/align_sequences.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace lathe::driver {
namespace {

// A key for each character; upper case is of the same kind as lower case.
std::vector<SequenceKey> Keys(const std::string& text) {
  std::vector<SequenceKey> keys;
  for (char c : text) {
    keys.push_back({std::string(1, c), std::string(1, static_cast<char>(c | 0x20))});
  }
  return keys;
}

// Prints pairs as "a=a a~A -b +c".
std::string Align(const std::string& a, const std::string& b) {
  std::string text;
  for (const AlignedPair& pair : AlignSequences(Keys(a), Keys(b))) {
    absl::StrAppend(&text, text.empty() ? "" : " ");
    if (pair.b < 0) {
      absl::StrAppend(&text, "-", a.substr(static_cast<size_t>(pair.a), 1));
    } else if (pair.a < 0) {
      absl::StrAppend(&text, "+", b.substr(static_cast<size_t>(pair.b), 1));
    } else {
      absl::StrAppend(&text, a.substr(static_cast<size_t>(pair.a), 1), pair.equal ? "=" : "~",
                      b.substr(static_cast<size_t>(pair.b), 1));
    }
  }
  return text;
}

TEST(AlignSequencesTest, EmptyOnes) {
  EXPECT_EQ(Align("", ""), "");
  EXPECT_EQ(Align("a", ""), "-a");
  EXPECT_EQ(Align("", "ab"), "+a +b");
}

TEST(AlignSequencesTest, EqualAndSimilarElements) {
  EXPECT_EQ(Align("abc", "abc"), "a=a b=b c=c");
  EXPECT_EQ(Align("abc", "aBc"), "a=a b~B c=c");
  EXPECT_EQ(Align("abc", "axbc"), "a=a +x b=b c=c");
  EXPECT_EQ(Align("abbc", "abc"), "a=a b=b -b c=c");
  EXPECT_EQ(Align("axc", "ayc"), "a=a -x +y c=c");
}

// The length of a longest common subsequence by its definition.
size_t Longest(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> table(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
                                         : std::max(table[i - 1][j], table[i][j - 1]);
    }
  }
  return table[a.size()][b.size()];
}

TEST(AlignSequencesTest, RandomSequences) {
  uint32_t random = 7;
  const auto draw = [&](uint32_t below) {
    random = random * 1664525u + 1013904223u;
    return (random >> 8) % below;
  };
  for (int round = 0; round < 500; ++round) {
    std::string a, b;
    for (uint32_t n = draw(20); n > 0; --n) a += "abcABC"[draw(6)];
    for (uint32_t n = draw(20); n > 0; --n) b += "abcABC"[draw(6)];
    size_t equal = 0;
    int next_a = 0, next_b = 0;
    for (const AlignedPair& pair : AlignSequences(Keys(a), Keys(b))) {
      if (pair.a >= 0) {
        EXPECT_EQ(pair.a, next_a++);
      }
      if (pair.b >= 0) {
        EXPECT_EQ(pair.b, next_b++);
      }
      if (!pair.equal) continue;
      ++equal;
      EXPECT_EQ(a[static_cast<size_t>(pair.a)], b[static_cast<size_t>(pair.b)]);
    }
    EXPECT_EQ(next_a, static_cast<int>(a.size()));
    EXPECT_EQ(next_b, static_cast<int>(b.size()));
    EXPECT_EQ(equal, Longest(a, b)) << a << " " << b;
  }
}

TEST(AlignSequencesTest, LongSequencesEndInTime) {
  std::vector<SequenceKey> a, b;
  for (int i = 0; i < 12000; ++i) {
    a.push_back({absl::StrCat(i * 7 % 13, " ", i % 1009), "a"});
    b.push_back({absl::StrCat(i * 5 % 11, " ", i % 1013), "b"});
  }
  a.resize(10000);
  EXPECT_GE(AlignSequences(a, b).size(), b.size());
}

}  // namespace
}  // namespace lathe::driver
