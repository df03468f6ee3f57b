// Generates the build files of a CUDA bundle.
#ifndef LATHE_BUNDLE_CUDA_PACKAGE_FILES_H_
#define LATHE_BUNDLE_CUDA_PACKAGE_FILES_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/emit/text/emitted_model.h"

namespace lathe::bundle {

// Returns the CMakeLists.txt of a CUDA bundle for `architectures`, in the syntax of CMake.
absl::StatusOr<std::vector<emit::OutputFile>> CudaPackageFiles(
    absl::string_view architectures, absl::string_view name,
    absl::Span<const emit::OutputFile> files);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_CUDA_PACKAGE_FILES_H_
