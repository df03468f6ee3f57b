// What may be kept of an info when the scope that its variables come from is left.
#ifndef LATHE_ANALYSIS_ERASE_H_
#define LATHE_ANALYSIS_ERASE_H_

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// What is in scope outside: the specification's Γ and Σ.
struct OuterScope {
  absl::FunctionRef<bool(ir::ValueId)> has_value;
  absl::FunctionRef<bool(ir::PrimRef)> has_shape_var;
};

// Dimensions larger than this, counted as a tree, are not carried along: nothing is provable of
// them, and doubling one at each call would take exponential space.
inline constexpr int kMaxDimNodes = 1000;

// erase_to_well_defined of the specification: a shape that uses a variable which is not in scope is
// left open. Device, dtype and rank stay (the pseudocode drops the device and the purity, the prose
// does not), and the value of a scalar goes the way of a shape's.
ir::StructInfoRef EraseToWellDefined(ir::Context& context, ir::StructInfoRef info,
                                     const OuterScope& scope);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ERASE_H_
