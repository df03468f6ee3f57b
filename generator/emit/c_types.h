// How dtypes are spelled in C.
#ifndef LATHE_EMIT_C_TYPES_H_
#define LATHE_EMIT_C_TYPES_H_

#include "absl/strings/string_view.h"
#include "generator/ir/dtype.h"

namespace lathe::emit {

// Of an element in memory: "float", "int8_t", "uint8_t" for bool, "uint16_t" for float16 and
// bfloat16; empty when C has no such type.
absl::string_view CType(ir::DType dtype);

// Of a scalar that is computed with: that of an element, but float for float16 and bfloat16, which
// are rounded after every operation.
absl::string_view CScalarType(ir::DType dtype);

// "f16" or "bf16" for what computes in float; empty for all others.
absl::string_view HalfName(ir::DType dtype);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_TYPES_H_
