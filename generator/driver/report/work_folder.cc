#include "generator/driver/report/work_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace lathe::driver {

WorkFolder::WorkFolder(absl::string_view named) : path_(named), temporary_(named.empty()) {
  if (!temporary_) return;
  path_ = (std::filesystem::temp_directory_path() / "lathe-XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) path_.clear();
  if (!path_.empty()) on_signal_.emplace(path_);
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (temporary_ && !path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace lathe::driver
