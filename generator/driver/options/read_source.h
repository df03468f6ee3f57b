// Reads the input file of a verb.
#ifndef LATHE_DRIVER_OPTIONS_READ_SOURCE_H_
#define LATHE_DRIVER_OPTIONS_READ_SOURCE_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/report/streams.h"
#include "generator/support/source.h"

namespace lathe::driver {

// Reads the file at `path`. "-" is standard input, which messages call "<stdin>".
absl::StatusOr<SourceFile> ReadSource(const std::string& path, const Streams& io);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_READ_SOURCE_H_
