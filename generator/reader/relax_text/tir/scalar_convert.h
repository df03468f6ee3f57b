// From what TIR text means to what a place in the IR wants: a scalar, a type, an attribute, the
// argument of an intrinsic.
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

// A bare whole number is `int_dtype` (int64 when it only fits there), a bare real number float32,
// a slice a vector load. `e` is what was written, for messages.
absl::StatusOr<ir::PrimRef> ToScalar(Elaboration& el, const ast::Expr& e, const ScalarValue& value,
                                     ir::DType int_dtype);

// Like ToScalar, and besides: strings and type names as StringImm, buffers and slices as RegionArg.
absl::StatusOr<ir::PrimRef> ToArgument(Elaboration& el, const ast::Expr& e,
                                       const ScalarValue& value, ir::DType int_dtype);

absl::StatusOr<ir::AttrValue> ToAttr(Elaboration& el, const ast::Expr& e, const ScalarValue& value);

// A type: T.float32, "float32". Fails with a diagnostic when it is no type or not a known one.
absl::StatusOr<ir::DType> ToDType(Elaboration& el, const ast::Expr& e, const ScalarValue& value);

absl::StatusOr<std::string> ToString(Elaboration& el, const ast::Expr& e, const ScalarValue& value);
absl::StatusOr<int64_t> ToInt(Elaboration& el, const ast::Expr& e, const ScalarValue& value);
absl::StatusOr<bool> ToBool(Elaboration& el, const ast::Expr& e, const ScalarValue& value);

// The numbers of elements from `min` to `stop`: the difference, folded where that is possible.
ir::PrimRef ExtentOf(ir::Context& context, ir::PrimRef min, ir::PrimRef stop);

// A[i, lo:hi] as a load: a slice of n elements is a vector index of n lanes.
absl::StatusOr<ir::PrimRef> ToLoad(Elaboration& el, const ast::Expr& e, const BufferSlice& slice,
                                   ir::PrimRef predicate = nullptr);
// The indices of that load, also good for a store.
absl::StatusOr<std::vector<ir::PrimRef>> ToIndices(Elaboration& el, const ast::Expr& e,
                                                   const BufferSlice& slice);
// A slice as a region; a whole buffer is a region in all its dimensions.
ir::BufferRegion ToRegion(ir::Context& context, const BufferSlice& slice);
ir::BufferRegion WholeRegion(ir::Context& context, ir::BufferRef buffer);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_SCALAR_CONVERT_H_
