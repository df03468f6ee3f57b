// Stamps the files of a bundle with a common checksum.
#ifndef LATHE_BUNDLE_STAMP_FILES_H_
#define LATHE_BUNDLE_STAMP_FILES_H_

#include <vector>

#include "generator/emit/text/emitted_model.h"

namespace lathe::bundle {

// Replaces @bundle@ by a checksum of all `files`, so that a source and a header of different runs
// do not compile together. Replaces @runtime@ by the list of files in lathe/.
void StampFiles(std::vector<emit::OutputFile>& files);

}  // namespace lathe::bundle

#endif  // LATHE_BUNDLE_STAMP_FILES_H_
