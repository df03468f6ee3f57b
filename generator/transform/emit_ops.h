// Emits operator calls before a binding, with every attribute of their schema.
//
//   EmitOps emit(module, out, dataflow, loc);
//   Operand y = emit.Op("relax.add", {x, emit.Number(1, dtype)});
#ifndef LATHE_TRANSFORM_EMIT_OPS_H_
#define LATHE_TRANSFORM_EMIT_OPS_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

class EmitOps {
 public:
  EmitOps(ir::Module& module, std::vector<ir::Binding>& out, bool dataflow, Location loc)
      : module_(module), out_(out), dataflow_(dataflow), loc_(std::move(loc)) {}

  // Emits the call. The new variable has no info: call RederiveInfo afterwards.
  ir::Operand Op(absl::string_view op, std::vector<ir::Operand> args, ir::AttrMap attrs = {});
  ir::Operand Bind(ir::Rhs rhs, absl::string_view name);
  // Returns a constant tensor of rank 0.
  ir::Operand Number(double value, ir::DType dtype);

 private:
  ir::Module& module_;
  std::vector<ir::Binding>& out_;
  const bool dataflow_;
  const Location loc_;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_EMIT_OPS_H_
