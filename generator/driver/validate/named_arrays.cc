#include "generator/driver/validate/named_arrays.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

// Returns the .npy files of a folder, sorted by name.
std::vector<std::filesystem::path> ArrayFiles(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".npy") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

bool HasArrayFiles(const std::string& folder) { return !ArrayFiles(folder).empty(); }

absl::StatusOr<std::vector<interp::ZipMember>> ReadNamedArrays(const std::string& path,
                                                               const interp::MemoryBudget& budget) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    std::vector<interp::ZipMember> arrays;
    for (const std::filesystem::path& file : ArrayFiles(path)) {
      LATHE_ASSIGN_OR_RETURN(std::string bytes, ReadFile(file.string()));
      arrays.push_back({file.stem().string(), std::move(bytes)});
    }
    return arrays;
  }
  LATHE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  auto members = interp::ReadNpzMembers(bytes, budget);
  if (!members.ok()) return InArrayFile(path, members.status());
  return members;
}

absl::Status InArrayFile(const std::string& path, const absl::Status& status) {
  const bool bad = absl::IsInvalidArgument(status) || absl::IsUnimplemented(status);
  return absl::Status(bad ? absl::StatusCode::kDataLoss : status.code(),
                      absl::StrCat("'", path, "': ", status.message()));
}

}  // namespace lathe::driver
