// Elements whose form in memory is not the one that is computed with: small floats are codes there,
// and integers and floats of other widths than bytes have share bytes (lathe/float8.h, half.h and
// bits.h).
#ifndef LATHE_EMIT_C_STORED_ELEMENT_H_
#define LATHE_EMIT_C_STORED_ELEMENT_H_

#include <string>

#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/print_c_expr.h"
#include "generator/ir/dtype.h"

namespace lathe::emit {

// An element in memory: a pointer of CType, and which element behind it. Without an index it is a
// variable of its own, of CLocalType.
struct StoredPlace {
  std::string pointer;
  std::string index;
  bool is_local = false;

  std::string Element() const { return is_local ? pointer : pointer + "[" + index + "]"; }
};

// What it holds, as its CScalarType.
CText ReadElement(CNeeds& needs, ir::DType dtype, const StoredPlace& place);

// The statement that puts the number `value`, of its CScalarType, there.
std::string WriteElement(CNeeds& needs, ir::DType dtype, const StoredPlace& place,
                         const CText& value);

// `text`, computed in float, or in double or a wide integer, as a number of a small float format.
CText RoundedFloat(CNeeds& needs, ir::DType dtype, CText text, bool is_wide = false);

// `text`, which C may compute as an int, as the integer of `dtype` that has its lowest bits.
CText NarrowedInt(CNeeds& needs, ir::DType dtype, const CText& text, bool is_int = false);

// The bits of `text`, an integer of `dtype`, without those of its sign beyond its width.
std::string BitsOfInt(ir::DType dtype, const CText& text);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_STORED_ELEMENT_H_
