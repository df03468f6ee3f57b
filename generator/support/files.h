// Reads whole files, and writes files completely or not at all.
#ifndef LATHE_SUPPORT_FILES_H_
#define LATHE_SUPPORT_FILES_H_

#include <cstdint>
#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe {

// Returns the bytes of the file at `path`. Fails if it cannot be read or is larger than
// `max_bytes`.
absl::StatusOr<std::string> ReadFile(const std::string& path,
                                     uint64_t max_bytes = uint64_t{1} << 32);

// Returns the rest of an open stream, called `name` in errors.
absl::StatusOr<std::string> ReadStream(std::FILE* f, const std::string& name, uint64_t max_bytes);

// Replaces the file at `path` by `bytes` through a temporary file and a rename, so that a reader
// sees the old content or the new, never a part. A file that already contains `bytes` is not
// touched. A device or a pipe is written directly.
absl::Status WriteFile(const std::string& path, absl::string_view bytes);

}  // namespace lathe

#endif  // LATHE_SUPPORT_FILES_H_
