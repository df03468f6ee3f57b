// Imports operators that change shapes.
#include "generator/reader/relay_text/ops/op_call.h"
#include "generator/support/status.h"

namespace lathe::relay {

absl::StatusOr<Operand> ImportConcatenate(OpCall& c) {
  return c.Op("relax.concat", {Operand{ir::TupleExpr{c.Fields(0)}}}, {{"axis", c.Int("axis")}});
}

}  // namespace lathe::relay
