// Reads and writes named tensors as .npz files: zip archives of .npy files.
#ifndef LATHE_INTERP_DATA_NPZ_FORMAT_H_
#define LATHE_INTERP_DATA_NPZ_FORMAT_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/interp/data/tensor.h"
#include "generator/interp/data/zip_archive.h"

namespace lathe::interp {

// Returns the undecoded .npy files in an archive, by array name. Call ReadNpy once the dtype is
// known.
absl::StatusOr<std::vector<ZipMember>> ReadNpzMembers(absl::string_view archive,
                                                      const MemoryBudget& budget);

absl::StatusOr<std::string> WriteNpz(const std::vector<std::pair<std::string, TensorRef>>& tensors);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_NPZ_FORMAT_H_
