#include "generator/reader/onnx/external_data.h"

#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/decode_tensor.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

namespace fs = std::filesystem;

absl::Status Wrong(absl::string_view what) { return absl::InvalidArgumentError(what); }

absl::StatusOr<uint64_t> NumberOf(const std::map<std::string, std::string>& entries,
                                  const std::string& key, uint64_t otherwise) {
  const auto found = entries.find(key);
  if (found == entries.end()) return otherwise;
  uint64_t number = 0;
  if (!absl::SimpleAtoi(found->second, &number)) {
    return Wrong(
        absl::StrCat("has external data with an invalid ", key, ", '", found->second, "'"));
  }
  return number;
}

}  // namespace

absl::StatusOr<std::string> ReadExternalData(const std::map<std::string, std::string>& entries,
                                             const std::string& folder, uint64_t size) {
  const auto found = entries.find("location");
  if (found == entries.end() || found->second.empty()) {
    return Wrong("has external data without a location");
  }
  const std::string& location = found->second;
  // Truncates the location in messages; file systems have no longer names.
  constexpr size_t kShown = 100;
  const std::string shown =
      NameOf(location.substr(0, kShown)) + (location.size() > kShown ? "..." : "");
  const absl::Status outside = Wrong(absl::StrCat(
      "has its data in '", shown, "', which is not a file in the folder of the model"));
  const fs::path relative(location);
  if (relative.is_absolute() || absl::StrContains(location, '\0') ||
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
    return Wrong(absl::StrCat("has its data in '", shown,
                              "', a file with other hard links, which "
                              "may be outside the folder of the model: copy it"));
  }
  LATHE_ASSIGN_OR_RETURN(const uint64_t offset, NumberOf(entries, "offset", 0));
  LATHE_ASSIGN_OR_RETURN(const uint64_t length, NumberOf(entries, "length", size));
  const uint64_t there = fs::file_size(path, error);
  if (error || length != size || offset > there || size > there - offset) {
    return Wrong(absl::StrCat("needs ", size, " bytes of '", shown, "', at ", offset, " of ", there,
                              ", but declares a length of ", length));
  }
  LATHE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path.string()));
  if (bytes.size() < offset || bytes.size() - offset < size) return outside;
  return bytes.substr(offset, size);
}

}  // namespace lathe::onnx
