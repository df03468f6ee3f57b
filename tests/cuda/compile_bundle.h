// Compiles GPU bundles with a C++ compiler and the emulation's headers in place of CUDA's.
#ifndef LATHE_TESTS_CUDA_COMPILE_BUNDLE_H_
#define LATHE_TESTS_CUDA_COMPILE_BUNDLE_H_

#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "generator/support/files.h"
#include "tests/support/paths.h"

namespace lathe {

struct Ran {
  int exit = 0;
  std::string said;
};

// What a command prints, to either stream, is in the file `said` too.
inline Ran Shell(const std::string& command) {
  Ran ran;
  ran.exit = WEXITSTATUS(std::system(absl::StrCat("(", command, ") > said 2>&1").c_str()));
  ran.said = *ReadFile("said");
  return ran;
}

// The first words of a command that compiles what includes files of bundle/.
inline std::string BundleCompiler() {
  return absl::StrCat("c++ -std=c++17 -Wall -Wextra -Werror -I bundle -I ",
                      SourcePath("runtime-c/emulation"), " -I ", SourcePath("tests/cuda/cases"),
                      " ");
}

}  // namespace lathe

#endif  // LATHE_TESTS_CUDA_COMPILE_BUNDLE_H_
