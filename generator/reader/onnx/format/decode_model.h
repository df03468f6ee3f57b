// Decodes an ONNX file (protobuf) to a Model.
#ifndef LATHE_READER_ONNX_FORMAT_DECODE_MODEL_H_
#define LATHE_READER_ONNX_FORMAT_DECODE_MODEL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/onnx/format/model.h"

namespace lathe::onnx {

// The result contains views into `bytes`. Malformed bytes are an InvalidArgument error, an exceeded
// limit is ResourceExhausted.
absl::StatusOr<Model> DecodeModel(absl::string_view bytes);

// Decodes a file of a data set, such as input_0.pb, that contains a value of `type`. Returns
// Unimplemented for maps.
absl::StatusOr<Datum> DecodeDatum(absl::string_view bytes, const Type& type);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_FORMAT_DECODE_MODEL_H_
