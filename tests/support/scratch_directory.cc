#include "tests/support/scratch_directory.h"

#include <cstdlib>
#include <string>

namespace lathe {

namespace fs = std::filesystem;

ScratchDirectory::ScratchDirectory() : before_(fs::current_path()) {
  std::string name = (fs::temp_directory_path() / "lathe_test.XXXXXX").string();
  path_ = mkdtemp(name.data());
  fs::current_path(path_);
}

ScratchDirectory::~ScratchDirectory() {
  fs::current_path(before_);
  fs::remove_all(path_);
}

}  // namespace lathe
