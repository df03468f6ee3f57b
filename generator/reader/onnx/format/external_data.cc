#include "generator/reader/onnx/format/external_data.h"

#include <filesystem>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "generator/reader/import/data_file.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::onnx {
namespace {

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
  const std::string shown = ShownLocation(location);
  LATHE_ASSIGN_OR_RETURN(const std::string path, DataFilePath(location, folder));
  LATHE_ASSIGN_OR_RETURN(const uint64_t offset, NumberOf(entries, "offset", 0));
  LATHE_ASSIGN_OR_RETURN(const uint64_t length, NumberOf(entries, "length", size));
  std::error_code error;
  const uint64_t there = std::filesystem::file_size(path, error);
  if (error || length != size || offset > there || size > there - offset) {
    return Wrong(absl::StrCat("needs ", size, " bytes of '", shown, "', at ", offset, " of ", there,
                              ", but declares a length of ", length));
  }
  LATHE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  if (bytes.size() < offset || bytes.size() - offset < size) {
    return Wrong(absl::StrCat("has its data in '", shown, "', which became shorter"));
  }
  return bytes.substr(offset, size);
}

}  // namespace lathe::onnx
