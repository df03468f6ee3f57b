// Reads arrays by name from files of NumPy.
#ifndef LATHE_DRIVER_VALIDATE_NAMED_ARRAYS_H_
#define LATHE_DRIVER_VALIDATE_NAMED_ARRAYS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/interp/data/npz_format.h"

namespace lathe::driver {

// Returns the undecoded .npy files of an .npz archive, or of a folder, where they are named after
// the file without its suffix. Fails with a message for the user: NotFound if the file does not
// exist, DataLoss if it is malformed.
absl::StatusOr<std::vector<interp::ZipMember>> ReadNamedArrays(const std::string& path,
                                                               const interp::MemoryBudget& budget);

// Returns true for a folder with .npy files.
bool HasArrayFiles(const std::string& folder);

// Returns the status of a malformed file as DataLoss, which is bad input and no usage error, with
// the path.
absl::Status InArrayFile(const std::string& path, const absl::Status& status);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_NAMED_ARRAYS_H_
