#include "generator/bundle/package_kinds.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/support/embedded_text.h"
#include "gtest/gtest.h"

namespace lathe::bundle {
namespace {

TEST(PackageKindsTest, ChoicesOfTheOptionAreTheTable) {
  std::vector<std::string> names = {"plain"};
  for (const PackageKind& kind : PackageKinds()) names.emplace_back(kind.name);
  EXPECT_EQ(absl::StrJoin(names, "|"), kPackageChoices);
}

TEST(PackageKindsTest, FindsKindsByName) {
  for (const PackageKind& kind : PackageKinds()) EXPECT_EQ(FindPackageKind(kind.name), &kind);
  EXPECT_EQ(FindPackageKind("plain"), nullptr);
}

TEST(PackageKindsTest, EveryKindHasTemplatesAndEveryTemplateAKind) {
  for (const PackageKind& kind : PackageKinds()) {
    bool found = false;
    for (const EmbeddedText& text : EmbeddedTemplates()) {
      found = found || absl::StartsWith(text.name, absl::StrCat("package/", kind.name, "/"));
    }
    EXPECT_TRUE(found) << kind.name;
  }
  for (const EmbeddedText& text : EmbeddedTemplates()) {
    if (!absl::StartsWith(text.name, "package/")) continue;
    const std::string rest(text.name.substr(8));
    if (!absl::StrContains(rest, '/')) continue;  // included by others
    EXPECT_NE(FindPackageKind(rest.substr(0, rest.find('/'))), nullptr) << text.name;
  }
}

}  // namespace
}  // namespace lathe::bundle
