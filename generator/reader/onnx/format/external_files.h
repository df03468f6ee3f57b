// Lists the external data files of a model.
#ifndef LATHE_READER_ONNX_FORMAT_EXTERNAL_FILES_H_
#define LATHE_READER_ONNX_FORMAT_EXTERNAL_FILES_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/format/model.h"

namespace lathe::onnx {

// Returns the locations of external tensors as the model names them, sorted and without duplicates.
std::vector<std::string> ExternalFilesOf(const Model& model);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FORMAT_EXTERNAL_FILES_H_
