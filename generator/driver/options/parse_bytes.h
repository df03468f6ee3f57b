// Parses numbers of bytes on the command line.
#ifndef LATHE_DRIVER_OPTIONS_PARSE_BYTES_H_
#define LATHE_DRIVER_OPTIONS_PARSE_BYTES_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe::driver {

// Parses digits, then nothing, K, M or G, each also as KB or KiB; K is always 1024.
absl::StatusOr<int64_t> ParseBytes(absl::string_view text);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_PARSE_BYTES_H_
