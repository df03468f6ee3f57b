// What the files of a bundle say of all of them.
#ifndef LATHE_BUNDLE_STAMP_FILES_H_
#define LATHE_BUNDLE_STAMP_FILES_H_

#include <vector>

#include "generator/emit/text/emitted_model.h"

namespace lathe::bundle {

// Puts a checksum of all `files` where their texts say @bundle@: a source and a header that are not
// of the same run do not compile together. @runtime@ is the list of those from lathe/.
void StampFiles(std::vector<emit::OutputFile>& files);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_STAMP_FILES_H_
