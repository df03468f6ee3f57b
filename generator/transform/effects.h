// Decides whether calls and bindings have side effects.
#ifndef LATHE_TRANSFORM_EFFECTS_H_
#define LATHE_TRANSFORM_EFFECTS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"

namespace lathe::transform {

// Returns true for R.call_tir_inplace and R.call_inplace_packed, which overwrite their arguments.
bool IsInplace(const ir::Op& op);

// Returns true for R.builtin.alloc_tensor and similar operators, each of whose results is distinct
// memory.
bool Allocates(const ir::Op& op);

// Returns true if the call has no effect besides its value, so that it may be removed, moved or
// merged with an equal one. Packed functions have effects. A PrimFunc that is called directly has
// effects unless it only computes a scalar (analysis::IsPurePrimFunc).
bool IsEffectFree(ir::Context& context, const ir::Module& module, const ir::Call& call);

// Returns true if `rhs` has an effect, including effects in its branches. A cast has none, though
// it may fail. A function has none until it is called.
bool HasEffect(ir::Context& context, const ir::Module& module, const ir::Rhs& rhs);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_EFFECTS_H_
