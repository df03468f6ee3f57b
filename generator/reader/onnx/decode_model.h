// From the bytes of a file to what it says.
#ifndef LATHE_READER_ONNX_DECODE_MODEL_H_
#define LATHE_READER_ONNX_DECODE_MODEL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/onnx/model.h"

namespace lathe::onnx {

// Views into `bytes` stay in the result. Fails with what is wrong with the bytes:
// InvalidArgument, or ResourceExhausted where a limit is exceeded.
absl::StatusOr<Model> DecodeModel(absl::string_view bytes);

// A file of a data set, input_0.pb, which holds a value of `type`.
absl::StatusOr<Datum> DecodeDatum(absl::string_view bytes, const Type& type);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_DECODE_MODEL_H_
