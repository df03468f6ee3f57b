#include "generator/bundle/write_bundle.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "generator/support/embedded_text.h"
#include "generator/support/files.h"
#include "generator/support/status.h"

namespace lathe::bundle {

std::vector<emit::OutputFile> RuntimeFiles(absl::Span<const std::string> parts) {
  std::vector<emit::OutputFile> files;
  for (const EmbeddedText& text : RuntimeHeaders()) {
    files.push_back({absl::StrCat("lathe/", text.name), std::string(text.text)});
  }
  for (const EmbeddedText& text : RuntimeParts()) {
    const absl::string_view stem = text.name.substr(0, text.name.rfind('.'));
    const std::string header = absl::StrCat(stem, ".h");
    if (std::find(parts.begin(), parts.end(), header) == parts.end()) continue;
    files.push_back({absl::StrCat("lathe/", text.name), std::string(text.text)});
  }
  return files;
}

absl::Status WriteBundle(const std::string& folder, absl::Span<const emit::OutputFile> files) {
  for (const emit::OutputFile& file : files) {
    const std::filesystem::path path = std::filesystem::path(folder) / file.name;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) {
      return absl::UnavailableError(absl::StrCat(
          "cannot make folder '", path.parent_path().string(), "': ", error.message()));
    }
    LATHE_RETURN_IF_ERROR(WriteFile(path.string(), file.text));
  }
  return absl::OkStatus();
}

}  // namespace lathe::bundle
