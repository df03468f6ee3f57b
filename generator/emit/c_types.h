// How dtypes are spelled in C.
#ifndef LATHE_EMIT_C_TYPES_H_
#define LATHE_EMIT_C_TYPES_H_

#include "absl/strings/string_view.h"
#include "generator/ir/dtype.h"

namespace lathe::emit {

// Of an element in memory: "float", "int8_t", "uint8_t" for bool, "uint16_t" for float16 and
// bfloat16, "uint8_t" for floats of 8 bits; empty when C has no such type.
absl::string_view CType(ir::DType dtype);

// Of a scalar that is computed with: that of an element, but float for the smaller formats, which
// are rounded after every operation.
absl::string_view CScalarType(ir::DType dtype);

// "f16", "bf16", "e4m3fn" for what computes in float; empty for all others.
absl::string_view SmallFloatName(ir::DType dtype);

// The part of the runtime, as it is included, that has the conversions of such a format.
const char* SmallFloatHeader(ir::DType dtype);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_TYPES_H_
