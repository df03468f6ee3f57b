// Implements the typing of scalar operations: the conversion of numbers to scalars, and the common
// type of two operands.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_SCALAR_TYPES_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_SCALAR_TYPES_H_

#include <optional>

#include "absl/numeric/int128.h"
#include "generator/ir/context.h"
#include "generator/ir/dtype.h"

namespace lathe::relax_text {

// Returns true if `dtype` is a floating-point type, or an integer type that can represent `value`.
bool FitsIn(ir::DType dtype, absl::int128 value);

// Returns an immediate of type `dtype`, which may be a vector type. Returns null if `value` does
// not fit.
ir::PrimRef MakeNumber(ir::Context& context, ir::DType dtype, absl::int128 value);
ir::PrimRef MakeNumber(ir::Context& context, ir::DType dtype, double value);

// Returns `e` converted to `dtype`. Immediates are folded, except reals to integers. A scalar is
// broadcast to the lanes of a vector. Other expressions get a Cast node.
ir::PrimRef Convert(ir::Context& context, ir::DType dtype, ir::PrimRef e);

// Returns the type to which operands of types `a` and `b` are converted. Floating-point types win
// over integers, and integers over bool. Among floating-point types, float wins over bfloat, and
// bfloat over the 8-, 6- and 4-bit formats. Otherwise the wider type wins, and the unsigned one of
// two integers of the same width. A scalar is broadcast to the lanes of a vector. Returns nullopt
// if there is no common type.
std::optional<ir::DType> CommonType(ir::DType a, ir::DType b);

// Converts `a` and `b` to their common type. Returns false if there is none.
bool MatchTypes(ir::Context& context, ir::PrimRef& a, ir::PrimRef& b);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_SCALAR_TYPES_H_
