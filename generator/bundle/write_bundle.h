// The files of a bundle, put where they belong.
#ifndef LATHE_BUNDLE_WRITE_BUNDLE_H_
#define LATHE_BUNDLE_WRITE_BUNDLE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "generator/emit/emit.h"

namespace lathe::bundle {

// What the generated files need beside them: lathe/rt.h, and the `parts` of the runtime, headers
// with their sources.
std::vector<emit::OutputFile> RuntimeFiles(absl::Span<const std::string> parts);

// Writes `files` below `folder`, which is made when it is not there. Each file is replaced whole
// or, when it already has the content, not touched.
absl::Status WriteBundle(const std::string& folder, absl::Span<const emit::OutputFile> files);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_WRITE_BUNDLE_H_
