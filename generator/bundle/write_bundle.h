// Writes the files of a bundle atomically: all of them, or none.
#ifndef LATHE_BUNDLE_WRITE_BUNDLE_H_
#define LATHE_BUNDLE_WRITE_BUNDLE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/support/file_calls.h"

namespace lathe::bundle {

// Writes `files` below `folder`, which is created if missing. After an error, or if the process is
// killed, the folder is unchanged or complete.
//
// A new folder is filled under a temporary name and renamed. For an existing folder, a copy with
// the new files and all other files is prepared and exchanged with it. Files with equal content are
// not touched. A folder that cannot be exchanged (the current folder, a mount point, a folder with
// other subfolders) gets its files one by one, and its old files back after an error. Only a kill
// at that moment leaves a mixture, which the checksums in the files turn into a compile error.
absl::Status WriteBundle(const std::string& folder, absl::Span<const emit::OutputFile> files);
absl::Status WriteBundle(FileCalls& calls, const std::string& folder,
                         absl::Span<const emit::OutputFile> files);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_WRITE_BUNDLE_H_
