// Prints loads and stores of elements whose form in memory differs from the form in computations.
//
// Small floats are stored as bit patterns (lathe/float8.h, half.h). Integers and floats whose width
// is not a whole number of bytes are packed: they share bytes (lathe/bits.h).
#ifndef LATHE_EMIT_C_KERNEL_STORED_ELEMENT_H_
#define LATHE_EMIT_C_KERNEL_STORED_ELEMENT_H_

#include <string>

#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/dtype.h"

namespace lathe::emit {

// The location of an element: element `index` of `pointer`, a pointer to CType. If `is_local`,
// `pointer` is the name of a variable of CLocalType, and `index` is empty.
struct StoredPlace {
  std::string pointer;
  std::string index;
  bool is_local = false;

  std::string Element() const { return is_local ? pointer : pointer + "[" + index + "]"; }
};

// Prints the value of the element at `place` as its CScalarType.
CText ReadElement(CNeeds& needs, ir::DType dtype, const StoredPlace& place);

// Prints the statement that stores `value`, a number of the CScalarType, to the element at `place`.
std::string WriteElement(CNeeds& needs, ir::DType dtype, const StoredPlace& place,
                         const CText& value);

// Rounds `text`, computed in float, to the small float format `dtype`. If `is_wide`, `text` is a
// double or a wide integer. Returns `text` unchanged for all other dtypes.
CText RoundedFloat(CNeeds& needs, ir::DType dtype, CText text, bool is_wide = false);

// Converts `text`, which C may compute as an int, to the integer of `dtype` with the same lowest
// bits. `is_int` is true if `text` has the type int.
CText NarrowedInt(CNeeds& needs, ir::DType dtype, const CText& text, bool is_int = false);

// Prints the bits of `text`, an integer of `dtype`, as an unsigned integer without sign extension.
std::string BitsOfInt(ir::DType dtype, const CText& text);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_STORED_ELEMENT_H_
