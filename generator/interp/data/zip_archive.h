// Zip archives as far as .npz files need them: members stored or deflated, sizes up to 2^64.
#ifndef LATHE_INTERP_DATA_ZIP_ARCHIVE_H_
#define LATHE_INTERP_DATA_ZIP_ARCHIVE_H_

#include <cstdint>
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

// The members in the order of the directory. What they hold together is at most `max_bytes`; every
// checksum is checked. The bytes may be anybody's.
absl::StatusOr<std::vector<ZipMember>> ReadZip(absl::string_view archive, uint64_t max_bytes);

// The members stored, without times: the same members give the same bytes. Fails beyond 4 GiB.
absl::StatusOr<std::string> WriteZip(const std::vector<ZipMember>& members);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_ZIP_ARCHIVE_H_
