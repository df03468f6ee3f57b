// Named tensors as .npz files: a zip archive of .npy files.
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

// The .npy files in an archive by the names of their arrays. Each is read (ReadNpy) when it is
// known what it is for.
absl::StatusOr<std::vector<ZipMember>> ReadNpzMembers(absl::string_view archive,
                                                      const MemoryBudget& budget);

absl::StatusOr<std::string> WriteNpz(const std::vector<std::pair<std::string, TensorRef>>& tensors);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_NPZ_FORMAT_H_
