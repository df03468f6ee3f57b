// Loads the files that hold the data of tensors outside of the model.
#ifndef LATHE_READER_TFLITE_EXTERNAL_FILES_H_
#define LATHE_READER_TFLITE_EXTERNAL_FILES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "generator/reader/tflite/format/model.h"

namespace lathe::tflite {

// Loads the files of the external buffers that tensors have, from the folder of the model. Appends
// their paths to `paths`, unless it is null. Fails if a file cannot be read, if it lacks the bytes
// of a tensor, if data are packed, or if there are more than 256 files.
absl::Status LoadExternalFiles(const std::string& folder, Model& model,
                               std::vector<std::string>* paths);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_EXTERNAL_FILES_H_
