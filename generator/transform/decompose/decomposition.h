// One call of a composite operator, for the functions that take it apart: one a family.
#ifndef LATHE_TRANSFORM_DECOMPOSE_DECOMPOSITION_H_
#define LATHE_TRANSFORM_DECOMPOSE_DECOMPOSITION_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/transform/emit_ops.h"

namespace lathe::transform {

// What the call is, in terms of what was emitted; nothing when it stays whole.
using Decomposition = std::optional<ir::Operand>;

struct CompositeCall {
  ir::Context& context;
  const ir::Module& module;
  const ir::Call& call;
  EmitOps& emit;

  // Of argument `i`; null when it is no tensor.
  const ir::TensorInfo* Tensor(size_t i) const;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DECOMPOSE_DECOMPOSITION_H_
