// Recognizes the format of files by their first bytes, whatever their name is.
#ifndef LATHE_READER_RECOGNIZE_FORMAT_H_
#define LATHE_READER_RECOGNIZE_FORMAT_H_

#include "absl/strings/string_view.h"

namespace lathe {

// Returns true if `bytes` begin as an ONNX model: with its version, then another field.
bool IsOnnxModel(absl::string_view bytes);

// Returns a description of a format that begins with certain bytes, such as "an ONNX model" or
// "compiled code (ELF)". Returns "" for other files.
absl::string_view DescribeMagic(absl::string_view bytes);

// Returns true if the beginning of `bytes` cannot be text.
bool IsBinary(absl::string_view bytes);

}  // namespace lathe

#endif  // LATHE_READER_RECOGNIZE_FORMAT_H_
