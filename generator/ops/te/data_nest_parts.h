// Builds parts of loop nests whose result size depends on data.
#ifndef LATHE_OPS_TE_DATA_NEST_PARTS_H_
#define LATHE_OPS_TE_DATA_NEST_PARTS_H_

#include <functional>

#include "absl/strings/string_view.h"
#include "generator/ops/te/te.h"

namespace lathe::ops {

inline constexpr ir::DType kIndex = ir::DType::Int(64);

// Returns the info of a tensor with one dimension.
inline ir::StructInfoRef Vector(ir::Context& context, ir::PrimRef length, ir::DType dtype) {
  return context.Tensor(Dims{length}, dtype);
}

// Adds the statements of `body` to the nest once, not per element.
inline void RunOnce(Te& te, absl::string_view name, const std::function<void(Statements&)>& body) {
  te.Run(name, {te.math().Int(1)}, [&](Statements& s, const Indices&) { body(s); });
}

}  // namespace lathe::ops

#endif  // LATHE_OPS_TE_DATA_NEST_PARTS_H_
