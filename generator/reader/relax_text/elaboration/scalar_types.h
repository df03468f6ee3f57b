// The types of scalar operations: how numbers become scalars, and what two operands are converted
// to when they differ.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_SCALAR_TYPES_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_SCALAR_TYPES_H_

#include <optional>

#include "absl/numeric/int128.h"
#include "generator/ir/context.h"
#include "generator/ir/dtype.h"

namespace lathe::relax_text {

// Whether an integer of that type can hold `value`; true for floating types.
bool FitsIn(ir::DType dtype, absl::int128 value);

// An immediate of that type, which may be a vector type; null when the value does not fit.
ir::PrimRef MakeNumber(ir::Context& context, ir::DType dtype, absl::int128 value);
ir::PrimRef MakeNumber(ir::Context& context, ir::DType dtype, double value);

// `e` converted: an immediate is converted in place, other expressions get a Cast node.
ir::PrimRef Convert(ir::Context& context, ir::DType dtype, ir::PrimRef e);

// The type that operands of `a` and `b` are both converted to, the lanes included (a scalar is
// broadcast to a vector): the wider of two floats, the float of float and integer, the wider of two
// integers, the unsigned of two as wide. Nothing when they cannot meet.
std::optional<ir::DType> CommonType(ir::DType a, ir::DType b);

// Brings both to their common type; false when there is none.
bool MatchTypes(ir::Context& context, ir::PrimRef& a, ir::PrimRef& b);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_SCALAR_TYPES_H_
