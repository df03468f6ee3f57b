// The input of a verb, by its name on the command line.
#ifndef LATHE_DRIVER_OPTIONS_READ_SOURCE_H_
#define LATHE_DRIVER_OPTIONS_READ_SOURCE_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/report/streams.h"
#include "generator/support/source.h"

namespace lathe::driver {

// The file at `path`; "-" is the run's standard input, shown as "<stdin>" in messages.
absl::StatusOr<SourceFile> ReadSource(const std::string& path, const Streams& io);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_READ_SOURCE_H_
