// Generates the build files of a bundle.
#ifndef LATHE_BUNDLE_PACKAGE_FILES_H_
#define LATHE_BUNDLE_PACKAGE_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/emit/text/emitted_model.h"

namespace lathe::bundle {

// Returns a CMakeLists.txt for the package "cmake", a Makefile for "make", and nothing for "plain".
// They build a library from `files` of the model `name`.
absl::StatusOr<std::vector<emit::OutputFile>> PackageFiles(
    absl::string_view package, absl::string_view name, absl::Span<const emit::OutputFile> files);

// Returns the CMakeLists.txt of a CUDA bundle for `architectures`, in the syntax of CMake.
absl::StatusOr<std::vector<emit::OutputFile>> CudaPackageFiles(
    absl::string_view architectures, absl::string_view name,
    absl::Span<const emit::OutputFile> files);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_PACKAGE_FILES_H_
