// Converts the values of TIR expressions to the kind that their use requires: a scalar, a type, an
// attribute, the argument of an intrinsic. All functions report an error if the conversion is
// impossible; `e` locates it.
#ifndef LATHE_READER_RELAX_TEXT_TIR_SCALAR_CONVERT_H_
#define LATHE_READER_RELAX_TEXT_TIR_SCALAR_CONVERT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/ir/attrs.h"
#include "generator/ir/prim_expr.h"
#include "generator/reader/relax_text/elaboration/elaboration.h"
#include "generator/reader/relax_text/elaboration/scalar_value.h"

namespace lathe::relax_text {

// Returns `value` as a scalar. An integer without a type gets `int_dtype`, or int64 if it only fits
// there. A real number gets float32. A slice becomes a vector load.
absl::StatusOr<ir::PrimRef> ToScalar(Elaboration& el, const ast::Expr& e, const ScalarValue& value,
                                     ir::DType int_dtype);

// Returns `value` as the argument of an intrinsic. Strings and type names become StringImm, buffers
// and slices without a step become RegionArg; other values are converted by ToScalar.
absl::StatusOr<ir::PrimRef> ToArgument(Elaboration& el, const ast::Expr& e,
                                       const ScalarValue& value, ir::DType int_dtype);

// Returns `value` as an attribute. Values that attributes do not have are converted by ToArgument.
absl::StatusOr<ir::AttrValue> ToAttr(Elaboration& el, const ast::Expr& e, const ScalarValue& value);

// Returns the dtype that `value` denotes: T.float32, "float32".
absl::StatusOr<ir::DType> ToDType(Elaboration& el, const ast::Expr& e, const ScalarValue& value);

absl::StatusOr<std::string> ToString(Elaboration& el, const ast::Expr& e, const ScalarValue& value);
absl::StatusOr<int64_t> ToInt(Elaboration& el, const ast::Expr& e, const ScalarValue& value);
absl::StatusOr<bool> ToBool(Elaboration& el, const ast::Expr& e, const ScalarValue& value);

// Returns the number of elements from `min` to `stop`: their difference, folded if possible.
ir::PrimRef ExtentOf(ir::Context& context, ir::PrimRef min, ir::PrimRef stop);

// Returns `slice` as a load. A range of n elements becomes a vector index of n lanes. `predicate`
// may be null.
absl::StatusOr<ir::PrimRef> ToLoad(Elaboration& el, const ast::Expr& e, const BufferSlice& slice,
                                   ir::PrimRef predicate = nullptr);
// Returns the indices of that load, which can also be used for a store.
absl::StatusOr<std::vector<ir::PrimRef>> ToIndices(Elaboration& el, const ast::Expr& e,
                                                   const BufferSlice& slice);
// ToRegion returns `slice` as a region. WholeRegion returns the region that covers all of `buffer`.
ir::BufferRegion ToRegion(ir::Context& context, const BufferSlice& slice);
ir::BufferRegion WholeRegion(ir::Context& context, ir::BufferRef buffer);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_CONVERT_H_
