// Reads the options of custom operators: a FlexBuffer whose root is a map of scalars.
#ifndef LATHE_READER_TFLITE_FORMAT_FLEXBUFFER_H_
#define LATHE_READER_TFLITE_FORMAT_FLEXBUFFER_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/attrs.h"

namespace lathe::tflite {

// Returns the entries of the map that are integers, bools (as integers), floats and strings; others
// are left out. An empty buffer is an empty map.
absl::StatusOr<ir::AttrMap> DecodeFlexMap(absl::string_view bytes);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_FORMAT_FLEXBUFFER_H_
