// Enters a new current directory, so that the files of a test have plain names.
#ifndef LATHE_TESTS_SUPPORT_SCRATCH_DIRECTORY_H_
#define LATHE_TESTS_SUPPORT_SCRATCH_DIRECTORY_H_

#include <filesystem>

namespace lathe {

// Changes to a new directory during its lifetime.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;

 private:
  std::filesystem::path before_;
  std::filesystem::path path_;
};

}  // namespace lathe

#endif  // LATHE_TESTS_SUPPORT_SCRATCH_DIRECTORY_H_
