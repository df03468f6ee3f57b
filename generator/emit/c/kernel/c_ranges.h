// Uses value ranges to decide if C arithmetic gives the same results as TIR arithmetic.
#ifndef LATHE_EMIT_C_KERNEL_C_RANGES_H_
#define LATHE_EMIT_C_KERNEL_C_RANGES_H_

#include <optional>

#include "generator/analysis/arithmetic/bounds.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// Returns the range of `e`, assuming that no operation in it wraps around. The assumption holds for
// indices and sizes.
analysis::Interval RangeOf(CScope& scope, ir::PrimRef e);

// Returns a range of `e` that is valid even if operations in it wrap around: unbounded if they may.
analysis::Interval CertainRangeOf(CScope& scope, ir::PrimRef e);

// Returns true if the range of `e` (RangeOf) fits a signed integer of `bits` bits.
bool FitsBits(CScope& scope, ir::PrimRef e, int bits);

// Returns true if the value of `e` is certain to be in RangeOf(e): no operation in `e` wraps
// around, and `e` reads no memory.
bool KeepsItsRange(CScope& scope, ir::PrimRef e);

// Returns true if the operation `e` on signed integers cannot overflow its dtype.
bool NeverOverflows(CScope& scope, ir::PrimRef e);

// Returns the range of the float `e`, or nullopt if it is unknown or if `e` may be NaN. A clamped
// value is not NaN: `x < c ? x : c` is c if x is NaN.
std::optional<CFloatRange> FloatRangeOf(const CScope& scope, ir::PrimRef e);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_C_RANGES_H_
