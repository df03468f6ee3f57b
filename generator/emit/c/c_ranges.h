// What ranges show of arithmetic: where C's own does what TIR's does.
#ifndef LATHE_EMIT_C_C_RANGES_H_
#define LATHE_EMIT_C_C_RANGES_H_

#include <optional>

#include "generator/analysis/arithmetic/bounds.h"
#include "generator/emit/c/c_scope.h"

namespace lathe::emit {

// The values of `e` where nothing in it wraps around: of places and sizes, whose arithmetic does
// not.
analysis::Interval RangeOf(CScope& scope, ir::PrimRef e);

// The values of `e`, whatever wraps around in it.
analysis::Interval CertainRangeOf(CScope& scope, ir::PrimRef e);

// Whether all values of `e` are among those of a signed number of so many bits.
bool FitsBits(CScope& scope, ir::PrimRef e, int bits);

// Whether `e` has the value that its range says: nothing in it wraps around, or comes from memory.
bool KeepsItsRange(CScope& scope, ir::PrimRef e);

// Whether the operation `e`, of signed numbers in their ranges, gives one of its dtype.
bool NeverOverflows(CScope& scope, ir::PrimRef e);

// The values of the float `e`; nothing where it may be NaN. `x < c ? x : c` is c for a NaN x.
std::optional<CFloatRange> FloatRangeOf(const CScope& scope, ir::PrimRef e);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_C_RANGES_H_
