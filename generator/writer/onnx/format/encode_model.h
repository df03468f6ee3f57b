// Encodes a Model as an ONNX file (protobuf): the inverse of DecodeModel.
#ifndef LATHE_WRITER_ONNX_FORMAT_ENCODE_MODEL_H_
#define LATHE_WRITER_ONNX_FORMAT_ENCODE_MODEL_H_

#include <string>

#include "absl/strings/string_view.h"
#include "generator/reader/onnx/format/model.h"

namespace lathe::onnx {

// Encodes what generator/writer/onnx produces: graphs with tensors of raw data, attributes and
// subgraphs; no functions, sparse tensors or external data. `producer` names the program that wrote
// the model.
std::string EncodeModel(const Model& model, absl::string_view producer);

}  // namespace lathe::onnx

#endif  // LATHE_WRITER_ONNX_FORMAT_ENCODE_MODEL_H_
