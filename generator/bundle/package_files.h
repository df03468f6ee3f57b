// What build systems need beside generated files.
#ifndef LATHE_BUNDLE_PACKAGE_FILES_H_
#define LATHE_BUNDLE_PACKAGE_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/emit/text/emitted_model.h"

namespace lathe::bundle {

// For the package "plain" nothing, for "cmake" a CMakeLists.txt, for "make" a Makefile that make a
// library of `files`, the model's called `name`.
absl::StatusOr<std::vector<emit::OutputFile>> PackageFiles(
    absl::string_view package, absl::string_view name, absl::Span<const emit::OutputFile> files);

// The CMakeLists.txt of a bundle for GPUs, of these architectures as CMake spells them.
absl::StatusOr<std::vector<emit::OutputFile>> CudaPackageFiles(
    absl::string_view architectures, absl::string_view name,
    absl::Span<const emit::OutputFile> files);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_PACKAGE_FILES_H_
