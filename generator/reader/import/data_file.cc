#include "generator/reader/import/data_file.h"

#include <filesystem>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace lathe {

std::string ShownLocation(const std::string& location) {
  constexpr size_t kShown = 100;  // file systems have no longer names
  return absl::StrCat(absl::Utf8SafeCHexEscape(location.substr(0, kShown)),
                      location.size() > kShown ? "..." : "");
}

absl::StatusOr<std::string> DataFilePath(const std::string& location, const std::string& folder) {
  namespace fs = std::filesystem;
  const std::string shown = ShownLocation(location);
  const absl::Status outside = absl::InvalidArgumentError(absl::StrCat(
      "has its data in '", shown, "', which is not a file in the folder of the model"));
  const fs::path relative(location);
  if (location.empty() || relative.is_absolute() || absl::StrContains(location, '\0') ||
      absl::StrContains(location, '\\')) {
    return outside;
  }
  for (const fs::path& part : relative) {
    if (part == "..") return outside;
  }
  std::error_code error;
  const fs::path base = fs::canonical(folder.empty() ? fs::path(".") : fs::path(folder), error);
  if (error) return outside;
  const fs::path path = fs::canonical(base / relative, error);
  if (error) {
    return absl::NotFoundError(absl::StrCat("has its data in '", shown, "', which does not exist"));
  }
  // The path is canonical now, so a link that leads outside is rejected too.
  if (!absl::StartsWith(path.string(), base.string() + "/") || !fs::is_regular_file(path, error)) {
    return outside;
  }
  // A hard link could alias a file outside of the folder. onnx rejects such files too.
  if (fs::hard_link_count(path, error) > 1 && !error) {
    return absl::InvalidArgumentError(
        absl::StrCat("has its data in '", shown,
                     "', a file with other hard links, which "
                     "may be outside the folder of the model: copy it"));
  }
  return path.string();
}

}  // namespace lathe
