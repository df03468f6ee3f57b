// Imports elementwise operators.
#include "absl/strings/str_cat.h"
#include "generator/reader/relay_text/ops/op_call.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// Relay never promotes dtypes.
absl::Status RequireOneDType(OpCall& c) {
  for (int i = 1; i < c.args(); ++i) {
    const DType first = c.TypeOf(c.Arg(0)), other = c.TypeOf(c.Arg(i));
    if (first != other) {
      return c.Error() << "operands of dtypes " << ir::ToString(first) << " and "
                       << ir::ToString(other) << "; Relay does not convert dtypes, 'cast' does";
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Operand> ImportSameName(OpCall& c) {
  LATHE_RETURN_IF_ERROR(RequireOneDType(c));
  return c.Op(absl::StrCat("relax.", c.op()), c.AllArgs());
}

}  // namespace lathe::relay
