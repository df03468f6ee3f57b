// Writes the result of a verb to a file or to standard output.
#ifndef LATHE_DRIVER_CLI_WRITE_RESULT_H_
#define LATHE_DRIVER_CLI_WRITE_RESULT_H_

#include "absl/strings/string_view.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

// Writes `bytes` to the file at `path`, or to standard output if `path` is empty or "-". Reports an
// error if the file cannot be written.
ExitCode WriteResult(const Invocation& in, absl::string_view path, absl::string_view bytes);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_WRITE_RESULT_H_
