// Decodes the FlatBuffer of a TFLite model.
#ifndef LATHE_READER_TFLITE_FORMAT_DECODE_MODEL_H_
#define LATHE_READER_TFLITE_FORMAT_DECODE_MODEL_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/tflite/format/model.h"

namespace lathe::tflite {

// Returns true if `bytes` have the identifier of TFLite files.
bool HasModelIdentifier(absl::string_view bytes);

// Returns the model, whose indices are in range. `bytes` must outlive it. InvalidArgument: the file
// is malformed. Unimplemented: it uses a feature that is not supported.
absl::StatusOr<Model> DecodeModel(absl::string_view bytes);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_FORMAT_DECODE_MODEL_H_
