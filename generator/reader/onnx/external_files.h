// The files beside a model that it reads.
#ifndef LATHE_READER_ONNX_EXTERNAL_FILES_H_
#define LATHE_READER_ONNX_EXTERNAL_FILES_H_

#include <string>
#include <vector>

#include "generator/reader/onnx/model.h"

namespace lathe::onnx {

// Where tensors of the model lie that are not in it, as it names them: each once, sorted.
std::vector<std::string> ExternalFilesOf(const Model& model);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_EXTERNAL_FILES_H_
