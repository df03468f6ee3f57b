#include "generator/driver/cli/write_result.h"

#include <string>

#include "generator/support/files.h"

namespace lathe::driver {

ExitCode WriteResult(const Invocation& in, absl::string_view path, absl::string_view bytes) {
  if (path.empty() || path == "-") {
    Print(in.io.out, bytes);
    return kExitOk;
  }
  const absl::Status written = WriteFile(std::string(path), bytes);
  return written.ok() ? kExitOk : in.report->EnvironmentError(written);
}

}  // namespace lathe::driver
