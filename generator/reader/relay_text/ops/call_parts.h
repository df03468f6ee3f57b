// Provides the checks and small compositions that importers of several families share.
#ifndef LATHE_READER_RELAY_TEXT_OPS_CALL_PARTS_H_
#define LATHE_READER_RELAY_TEXT_OPS_CALL_PARTS_H_

#include <string>
#include <vector>

#include "generator/reader/relay_text/ops/op_call.h"

namespace lathe::relay {

// Rejects operands of different dtypes: Relay never converts them.
absl::Status RequireOneDType(OpCall& c, const Operands& operands);
// Rejects a tensor of another rank. `what` names it: "the data".
absl::Status RequireRank(OpCall& c, const Operand& x, int rank, absl::string_view what);
// Rejects sizes that provably differ. `what` names the first: "the bias".
absl::Status RequireSize(OpCall& c, PrimRef size, PrimRef wanted, absl::string_view what);
// Rejects an attribute that is not one of `allowed`.
absl::Status RequireOneOf(OpCall& c, const std::string& attribute,
                          const std::vector<std::string>& allowed);

// Returns true if the sizes are known and differ.
bool Differ(PrimRef a, PrimRef b);

// Broadcasts tensors to one shape where Relax's operators could not: two symbolic sizes, of which
// either may be 1 at run time. Other operands stay as they are.
Operands BroadcastTogether(OpCall& c, const Operands& operands);

// Broadcasts `x` to `dims`. Rejects known sizes that do not broadcast; symbolic ones are checked at
// run time.
absl::StatusOr<Operand> SpreadTo(OpCall& c, const Operand& x, const Dims& dims);

ir::AttrList ListOf(const std::vector<int64_t>& values);
ir::AttrList ListOf(const std::vector<int>& values);
inline ir::AttrMap Axis(int axis) { return {{"axis", axis}}; }

// Calls an operator on a tuple of tensors.
Operand OfTuple(OpCall& c, absl::string_view op, Operands fields, ir::AttrMap attrs);
inline Operand TupleOf(Operands fields) { return {ir::TupleExpr{std::move(fields)}}; }

// Returns a tensor of the shape `dims` with one value.
Operand Filled(OpCall& c, const Dims& dims, double value, DType dtype);

// Reshapes `v`, which has one value per element of axis `axis`, so that it broadcasts with a tensor
// of `rank`.
Operand AlongAxis(OpCall& c, const Operand& v, int axis, int rank);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_OPS_CALL_PARTS_H_
