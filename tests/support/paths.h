// Locates the sources, for tests that read them.
#ifndef LATHE_TESTS_SUPPORT_PATHS_H_
#define LATHE_TESTS_SUPPORT_PATHS_H_

#include <string>

namespace lathe {

// The path of `relative` in the sources: SourcePath("samples/mlp/mlp.py").
std::string SourcePath(const std::string& relative);

// The library built from tests/extern/sample.c.
std::string ExternSamplePath();

// The object file of runtime-c/emulation.
std::string CompiledEmulationPath();

}  // namespace lathe

#endif  // LATHE_TESTS_SUPPORT_PATHS_H_
