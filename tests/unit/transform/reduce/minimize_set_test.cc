#include "generator/transform/reduce/minimize_set.h"

#include <algorithm>
#include <set>

#include "gmock/gmock.h"

namespace lathe::transform {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

TEST(MinimizeSetTest, FindsEveryPairOfItems) {
  for (size_t count : {2, 3, 7, 16, 40}) {
    for (size_t a = 0; a < count; ++a) {
      for (size_t b = a + 1; b < count; ++b) {
        int asked = 0;
        const auto found = MinimizeSet(count, [&](const std::vector<size_t>& subset) {
          ++asked;
          EXPECT_TRUE(std::is_sorted(subset.begin(), subset.end()));
          return std::count(subset.begin(), subset.end(), a) == 1 &&
                 std::count(subset.begin(), subset.end(), b) == 1;
        });
        EXPECT_THAT(found, ElementsAreArray({a, b}));
        EXPECT_LE(asked, 60) << count << " items, " << a << " and " << b;
      }
    }
  }
}

TEST(MinimizeSetTest, KeepsWhatIsNotMonotone) {
  // Only an even number of items has the property.
  const auto found = MinimizeSet(
      12, [](const std::vector<size_t>& s) { return s.size() >= 4 && s.size() % 2 == 0; });
  EXPECT_LE(found.size(), 6u);
  EXPECT_EQ(found.size() % 2, 0u);
}

TEST(MinimizeSetTest, AsksAboutTheEmptySet) {
  EXPECT_THAT(MinimizeSet(9, [](const std::vector<size_t>&) { return true; }), IsEmpty());
  EXPECT_THAT(MinimizeSet(1, [](const std::vector<size_t>& s) { return s.empty(); }), IsEmpty());
  EXPECT_THAT(MinimizeSet(0, [](const std::vector<size_t>&) { return false; }), IsEmpty());
  EXPECT_EQ(MinimizeSet(5, [](const std::vector<size_t>& s) { return !s.empty(); }).size(), 1u);
}

TEST(MinimizeSetTest, KeepsAllItemsThatAreNeeded) {
  EXPECT_EQ(MinimizeSet(5, [](const std::vector<size_t>& s) { return s.size() == 5; }).size(), 5u);
}

}  // namespace
}  // namespace lathe::transform
