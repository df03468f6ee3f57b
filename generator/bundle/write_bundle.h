// The files of a bundle, put where they belong: all of them, or none.
#ifndef LATHE_BUNDLE_WRITE_BUNDLE_H_
#define LATHE_BUNDLE_WRITE_BUNDLE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/support/file_calls.h"

namespace lathe::bundle {

// Writes `files` below `folder`, which is made when it is not there. Whenever it fails, or the
// process is killed, the folder is what it was or has all files.
//
// A new folder is filled beside its place and renamed; one that is there is filled anew, with what
// else lies in it, and exchanged. Files that have their content already are not touched. A folder
// that cannot be exchanged (the current one, one with folders of others in it, a mount point) gets
// its files one after another, and gets the old ones back when that fails; only a kill just then
// leaves it mixed, which the header tells the compiler.
absl::Status WriteBundle(const std::string& folder, absl::Span<const emit::OutputFile> files);
absl::Status WriteBundle(FileCalls& calls, const std::string& folder,
                         absl::Span<const emit::OutputFile> files);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_WRITE_BUNDLE_H_
