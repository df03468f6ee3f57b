// How dtypes are spelled in C.
#ifndef LATHE_EMIT_C_C_TYPES_H_
#define LATHE_EMIT_C_C_TYPES_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "generator/ir/dtype.h"

namespace lathe::emit {

// Of an element in memory: "float", "int8_t", "uint8_t" for bool, "uint16_t" for float16 and
// bfloat16, "uint8_t" for floats of 8 bits and for what shares bytes (ir/packed_elements.h); empty
// when C has no such type.
absl::string_view CType(ir::DType dtype);

// Of a scalar that is computed with: that of an element, but float for the smaller formats, which
// are rounded after every operation, and the next wider integer for those of other widths, which
// are narrowed after every operation.
absl::string_view CScalarType(ir::DType dtype);

// 0 as a literal of that type.
absl::string_view CZero(ir::DType dtype);

// Of a variable that stands for one element: as in memory, but alone.
absl::string_view CLocalType(ir::DType dtype);

// The length of an array of CType that holds so many elements: at least 1, as C wants it.
int64_t CLength(ir::DType dtype, int64_t elements);

// "f16", "bf16", "e4m3fn" for what computes in float; empty for all others.
absl::string_view SmallFloatName(ir::DType dtype);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_C_TYPES_H_
