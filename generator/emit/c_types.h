// How a dtype is spelled in C.
#ifndef LATHE_EMIT_C_TYPES_H_
#define LATHE_EMIT_C_TYPES_H_

#include "absl/strings/string_view.h"
#include "generator/ir/dtype.h"

namespace lathe::emit {

// "float", "int8_t", "uint8_t" for bool; empty when plain C has no such type.
absl::string_view CType(ir::DType dtype);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_TYPES_H_
