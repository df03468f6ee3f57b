// Selects the runtime files that generated files include.
#ifndef LATHE_BUNDLE_RUNTIME_FILES_H_
#define LATHE_BUNDLE_RUNTIME_FILES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/emit/text/emitted_model.h"

namespace lathe::bundle {

// Source that is compiled only on request, because it needs the NCCL library.
inline constexpr absl::string_view kOptionalSource = "lathe/cuda_nccl.cpp";
// Returns true for files of a bundle that the model does not need: kOptionalSource and examples.
bool IsOptional(absl::string_view file);

// Returns lathe/rt.h, the `parts` of the runtime ("half.h"), the files that they include, and their
// sources.
std::vector<emit::OutputFile> RuntimeFiles(absl::Span<const std::string> parts);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_RUNTIME_FILES_H_
