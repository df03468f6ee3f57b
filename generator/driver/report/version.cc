#include "generator/driver/report/version.h"

#include "absl/strings/str_cat.h"

namespace lathe::driver {

// CMakeLists.txt defines both macros.
absl::string_view Version() { return LATHE_VERSION; }
absl::string_view Commit() { return LATHE_COMMIT; }

std::string VersionLine() {
  return absl::StrCat("lathe ", Version(),
                      Commit().empty() ? "" : absl::StrCat(" (", Commit(), ")"), "\n");
}

std::string VersionJson() {
  return absl::StrCat("{\"name\": \"lathe\", \"version\": \"", Version(), "\", \"commit\": \"",
                      Commit(), "\"}\n");
}

}  // namespace lathe::driver
