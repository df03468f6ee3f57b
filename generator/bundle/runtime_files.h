// What generated files need beside them.
#ifndef LATHE_BUNDLE_RUNTIME_FILES_H_
#define LATHE_BUNDLE_RUNTIME_FILES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/emit/text/emitted_model.h"

namespace lathe::bundle {

// The one that is compiled only where the user says so: it needs a library.
inline constexpr absl::string_view kOptionalSource = "lathe/cuda_nccl.cpp";
// Whether the model does without that file of its bundle: that source, and examples.
bool IsOptional(absl::string_view file);

// lathe/rt.h, the `parts` of the runtime ("half.h"), what those include, and their sources.
std::vector<emit::OutputFile> RuntimeFiles(absl::Span<const std::string> parts);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_RUNTIME_FILES_H_
