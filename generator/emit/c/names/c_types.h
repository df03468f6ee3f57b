// Maps dtypes to C types.
#ifndef LATHE_EMIT_C_NAMES_C_TYPES_H_
#define LATHE_EMIT_C_NAMES_C_TYPES_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/ir/dtype.h"

namespace lathe::emit {

// Returns the C type of an element in memory: "float", "int8_t", "uint8_t" for bool, "uint16_t" for
// float16 and bfloat16, "uint8_t" for floats of at most 8 bits and for packed elements, which share
// bytes (ir/packed_elements.h). Returns an empty text if C has no such type.
absl::string_view CType(ir::DType dtype);

// Returns the C type in which a scalar of `dtype` is computed. Small float formats are computed in
// float and rounded after every operation. Packed integers are computed in the next wider C integer
// type and narrowed after every operation. All other dtypes are computed in their CType.
absl::string_view CScalarType(ir::DType dtype);

// Returns the literal 0 for the CScalarType of `dtype`: "0", "0.0" or "0.0f".
absl::string_view CZero(ir::DType dtype);

// Returns the C type of a variable that holds a single element: the CScalarType of an integer, else
// the CType.
absl::string_view CLocalType(ir::DType dtype);

// Returns the length of an array of CType that holds `elements` elements. The length is at least 1,
// because C has no empty arrays.
int64_t CLength(ir::DType dtype, int64_t elements);

// Returns the short name of a float format that is computed in float: "f16", "bf16", "e4m3fn".
// Returns an empty text for all other dtypes.
absl::string_view SmallFloatName(ir::DType dtype);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_NAMES_C_TYPES_H_
