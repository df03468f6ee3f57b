#include "generator/driver/write_result.h"

#include <string>

#include "generator/driver/report.h"
#include "generator/support/files.h"

namespace lathe::driver {

ExitCode WriteResult(const Invocation& in, absl::string_view path, absl::string_view bytes) {
  if (path.empty() || path == "-") {
    Print(in.io.out, bytes);
    return kExitOk;
  }
  const absl::Status written = WriteFile(std::string(path), bytes);
  return written.ok() ? kExitOk : ReportTrouble(written, in.report, in.io.err);
}

}  // namespace lathe::driver
