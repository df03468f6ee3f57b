// Sizes and subscripts as C.
#ifndef LATHE_EMIT_C_PRINT_C_ELEMENT_H_
#define LATHE_EMIT_C_PRINT_C_ELEMENT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/print_c_expr.h"
#include "generator/emit/c/stored_element.h"

namespace lathe::emit {

// A size or subscript: integers without types of their own, whose every part fits the width that
// the scope's loop variables have.
absl::StatusOr<CText> PrintCIndexValue(CScope& scope, ir::PrimRef e);
absl::StatusOr<std::string> PrintCIndex(CScope& scope, ir::PrimRef e);

// The same before it is checked to be a size: what is made of a caller's numbers may wrap around.
absl::StatusOr<std::string> PrintCSize(CScope& scope, ir::PrimRef e);

// Whether it is computed from variables alone, as what stands in subscripts mostly is.
bool IsPlace(ir::PrimRef e);

// What memory held has a part in it, itself or by a let.
bool IsOfData(const CScope& scope, ir::PrimRef e);

// An element in memory: name[i * 8 + j], where it is whole bytes.
absl::StatusOr<std::string> PrintCElement(CScope& scope, ir::BufferRef buffer,
                                          const std::vector<ir::PrimRef>& indices);
absl::StatusOr<StoredPlace> PrintCPlace(CScope& scope, ir::BufferRef buffer,
                                        const std::vector<ir::PrimRef>& indices);

// Its address: of an element that shares bytes, that of the byte where it starts.
absl::StatusOr<std::string> PrintCAddress(CScope& scope, ir::BufferRef buffer,
                                          const std::vector<ir::PrimRef>& indices);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_C_ELEMENT_H_
