// What a binding does besides giving its variable a value.
#ifndef LATHE_TRANSFORM_EFFECTS_H_
#define LATHE_TRANSFORM_EFFECTS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/op.h"

namespace lathe::transform {

// R.call_tir_inplace and R.call_inplace_packed, which overwrite their arguments.
bool IsInplace(const ir::Op& op);

// R.builtin.alloc_tensor and the like: no two of their results are the same memory.
bool Allocates(const ir::Op& op);

// False when the value alone counts, so that the call may be left out, moved or done once for
// several. Packed functions and PrimFuncs that are called directly have effects.
bool IsEffectFree(ir::Context& context, const ir::Module& module, const ir::Call& call);

// True when `rhs` has an effect, its branches included. A cast has none, though it may fail; a
// function has none before it is called.
bool HasEffect(ir::Context& context, const ir::Module& module, const ir::Rhs& rhs);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_EFFECTS_H_
