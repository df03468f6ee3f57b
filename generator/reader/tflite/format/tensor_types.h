// Names the tensor types of TFLite and maps them to dtypes.
#ifndef LATHE_READER_TFLITE_FORMAT_TENSOR_TYPES_H_
#define LATHE_READER_TFLITE_FORMAT_TENSOR_TYPES_H_

#include <optional>
#include <string>

#include "generator/ir/dtype.h"

namespace lathe::tflite {

// Returns the dtype of the elements in a program; integers of less than 8 bits are held in 8 bits,
// complex numbers as pairs.
// Returns nullopt for types that programs do not have.
std::optional<ir::DType> DTypeOf(int tensor_type);

// Returns the bits of an element in the file; 0 for types without a fixed size.
int BitsInFile(int tensor_type);

// Returns "int8", "string" or "type 99".
std::string TypeName(int tensor_type);

}  // namespace lathe::tflite

#endif  // LATHE_READER_TFLITE_FORMAT_TENSOR_TYPES_H_
