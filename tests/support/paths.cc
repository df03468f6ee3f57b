#include "tests/support/paths.h"

namespace lathe {

// The build defines LATHE_SOURCE_DIR for this file alone: a path on every command line would keep
// checkouts side by side from sharing compiled objects.
std::string SourcePath(const std::string& relative) {
  return std::string(LATHE_SOURCE_DIR "/") + relative;
}

std::string ExternSamplePath() { return LATHE_EXTERN_SAMPLE; }

std::string CompiledEmulationPath() { return LATHE_EMULATION; }

}  // namespace lathe
