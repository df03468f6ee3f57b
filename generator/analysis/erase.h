// Erases from an info the variables that go out of scope.
#ifndef LATHE_ANALYSIS_ERASE_H_
#define LATHE_ANALYSIS_ERASE_H_

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// The variables in scope outside: the specification's Γ and Σ.
struct OuterScope {
  absl::FunctionRef<bool(ir::ValueId)> has_value;
  absl::FunctionRef<bool(ir::PrimRef)> has_shape_var;
};

// A shape with a dimension of more nodes, counted as a tree, becomes unknown too: nothing can be
// proved about it, and doubling one at each call would take exponential space.
inline constexpr int kMaxDimNodes = 1000;

// Implements the specification's erase_to_well_defined: a shape that uses a variable out of scope
// becomes unknown. Device, dtype and rank are kept (the pseudocode drops the device and the purity,
// the prose does not), and the value of a scalar is erased like a shape.
ir::StructInfoRef EraseToWellDefined(ir::Context& context, ir::StructInfoRef info,
                                     const OuterScope& scope);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_ERASE_H_
