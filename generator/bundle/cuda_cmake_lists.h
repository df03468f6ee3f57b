// Generates the CMakeLists.txt of a CUDA bundle.
#ifndef LATHE_BUNDLE_CUDA_CMAKE_LISTS_H_
#define LATHE_BUNDLE_CUDA_CMAKE_LISTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/emit/text/emitted_model.h"

namespace lathe::bundle {

// Returns the CMakeLists.txt. `architectures` are CUDA architectures separated by spaces. `files`
// are the files that the build compiles.
absl::StatusOr<std::vector<emit::OutputFile>> CudaCMakeLists(
    absl::string_view architectures, absl::string_view name,
    absl::Span<const emit::OutputFile> files);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_CUDA_CMAKE_LISTS_H_
