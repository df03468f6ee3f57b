// Reads and writes the zip archives of .npz files: members stored or deflated, sizes up to 2^64.
#ifndef LATHE_INTERP_DATA_ZIP_ARCHIVE_H_
#define LATHE_INTERP_DATA_ZIP_ARCHIVE_H_

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace lathe::interp {

struct ZipMember {
  std::string name;
  std::string bytes;
};

// Returns the members in the order of the directory, or those whose names are in `only`. Their
// total size is at most `max_bytes`; every checksum is verified. `archive` may be malformed, and
// may follow other bytes.
absl::StatusOr<std::vector<ZipMember>> ReadZip(absl::string_view archive, uint64_t max_bytes,
                                               const std::set<std::string>* only = nullptr);

// Stores the members without compression and without times, so that equal members give equal bytes.
// Fails beyond 4 GiB.
absl::StatusOr<std::string> WriteZip(const std::vector<ZipMember>& members);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_ZIP_ARCHIVE_H_
