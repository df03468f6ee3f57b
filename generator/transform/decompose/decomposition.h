// Defines the interface of decompositions: one function per family of composite operators.
#ifndef LATHE_TRANSFORM_DECOMPOSE_DECOMPOSITION_H_
#define LATHE_TRANSFORM_DECOMPOSE_DECOMPOSITION_H_

#include <optional>

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/transform/emit_ops.h"

namespace lathe::transform {

// The result of the call, in terms of emitted operators; nullopt when the call is kept.
using Decomposition = std::optional<ir::Operand>;

struct CompositeCall {
  ir::Context& context;
  const ir::Module& module;
  const ir::Call& call;
  EmitOps& emit;

  // Returns the info of argument `i`; null when it is not a tensor.
  const ir::TensorInfo* Tensor(size_t i) const;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DECOMPOSE_DECOMPOSITION_H_
