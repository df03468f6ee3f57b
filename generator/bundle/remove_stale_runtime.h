// Removes runtime files that an earlier compile into the same folder wrote and that no file needs.
#ifndef LATHE_BUNDLE_REMOVE_STALE_RUNTIME_H_
#define LATHE_BUNDLE_REMOVE_STALE_RUNTIME_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "generator/emit/text/emitted_model.h"

namespace lathe::bundle {

// Another target may include other runtime files. A file in `folder`/lathe is stale if its bytes
// are those that this program writes, `files` do not contain it, no source or header in `folder` or
// in a folder inside it includes it, and no build file there names it, so that other models in the
// folder keep theirs. Returns the names of the removed files. Files of users and of other versions
// are kept, and all files if a text cannot be read or if there are too many to search. Hidden
// folders are not searched.
std::vector<std::string> RemoveStaleRuntime(const std::string& folder,
                                            absl::Span<const emit::OutputFile> files);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_REMOVE_STALE_RUNTIME_H_
