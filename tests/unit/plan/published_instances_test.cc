// Solves the hard packing problems published with MiniMalloc, from ../shared/conformance/minimalloc
// or LATHE_MINIMALLOC. Skipped if they are missing.
#include <cstdlib>
#include <filesystem>
#include <string>

#include "absl/strings/match.h"
#include "generator/plan/check_packing.h"
#include "generator/plan/pack.h"
#include "gmock/gmock.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/read_blocks.h"

namespace lathe::plan {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kCapacity = 1'048'576;

fs::path Folder() {
  const char* named = std::getenv("LATHE_MINIMALLOC");
  return named != nullptr ? fs::path(named)
                          : fs::path(SourcePath("../shared/conformance/minimalloc"));
}

class PublishedInstances : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!fs::exists(Folder())) GTEST_SKIP() << "no instances in " << Folder().string();
  }

  static void ExpectPacks(const std::string& name, int64_t capacity) {
    const auto blocks = ReadBlocks((Folder() / "challenging" / (name + ".1048576.csv")).string());
    ASSERT_THAT(blocks, IsOk());
    const Packing packing = Pack(*blocks, {.capacity = capacity});
    EXPECT_THAT(CheckPacking(*blocks, packing.offsets, packing.height), IsOk());
    EXPECT_LE(packing.height, capacity);
    EXPECT_LE(packing.lower_bound, packing.height);
  }
};

#ifdef NDEBUG
constexpr bool kIsOptimised = true;
#else
constexpr bool kIsOptimised = false;
#endif

TEST_P(PublishedInstances, ArePackedAtTheirCapacity) {
  const std::string name = GetParam();
  if (!kIsOptimised && absl::StrContains("ACEIK", name)) {
    GTEST_SKIP() << "takes long without optimisation";
  }
  ExpectPacks(name, kCapacity);
}

INSTANTIATE_TEST_SUITE_P(All, PublishedInstances,
                         ::testing::Values("A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K"),
                         [](const auto& info) { return std::string(info.param); });

using PublishedBound = PublishedInstances;
TEST_P(PublishedBound, IsReached) { ExpectPacks(GetParam(), 1'039'360); }
INSTANTIATE_TEST_SUITE_P(OfC, PublishedBound, ::testing::Values("C"));

}  // namespace
}  // namespace lathe::plan
