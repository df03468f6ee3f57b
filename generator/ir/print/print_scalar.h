// Prints scalar expressions as TVMScript: n * 4 + T.int64(1), T.max(a, b), A[i, j].
//
// Like Python, the reader folds operations on two numbers (2 * 3 is 6); such nodes are printed as
// calls, T.Mul(2, 3), so that every text reads back as the same node.
#ifndef LATHE_IR_PRINT_PRINT_SCALAR_H_
#define LATHE_IR_PRINT_PRINT_SCALAR_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/prim_expr.h"
#include "generator/ir/print_names.h"
#include "generator/ir/print_options.h"

namespace lathe::ir {

struct ScalarStyle {
  Dialect dialect = Dialect::kV0_26;
  // Integers of this dtype are printed bare, all others as T.int32(4): int64 in Relax, int32 in
  // PrimFuncs, none in attributes.
  DType bare_int = DType::Int(32);
  // The object whose members are the other functions of the module.
  absl::string_view module = "Module";
};

// Returns the text of `e`. `names` has the names of its variables and buffers.
std::string PrintScalar(PrimRef e, PrintNames& names, const ScalarStyle& style);

// Returns the text of an argument of an intrinsic, which may also be a string, or a region: A[0:4].
std::string PrintArgument(PrimRef e, PrintNames& names, const ScalarStyle& style);

// Returns the text of the end of a range that starts at `min`. The reader computes `extent` again
// from both.
std::string PrintEnd(PrimRef min, PrimRef extent, PrintNames& names, const ScalarStyle& style);

// Returns the Python tuple of the texts `items`: "(a, b)", "(a,)".
std::string TupleOf(const std::vector<std::string>& items);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_SCALAR_H_
