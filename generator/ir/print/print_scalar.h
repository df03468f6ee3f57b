// Scalar expressions as TVMScript: n * 4 + T.int64(1), T.max(a, b), A[i, j].
//
// Reading folds what is number on both sides (2 * 3 is 6), as Python does; so nodes of that kind
// print as calls, T.Mul(2, 3), and every text reads back as the node it came from.
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
  // Integers of this dtype are written bare, all others T.int32(4): int64 in Relax, int32 in
  // PrimFuncs, none in attributes.
  DType bare_int = DType::Int(32);
  // What other functions of the module are members of.
  absl::string_view module = "Module";
};

std::string PrintScalar(PrimRef e, PrintNames& names, const ScalarStyle& style);

// As an argument of an intrinsic, where strings are written as they are and regions as slices.
std::string PrintArgument(PrimRef e, PrintNames& names, const ScalarStyle& style);

// Where a range that starts at `min` ends, so that reading min and end gives `extent` again.
std::string PrintEnd(PrimRef min, PrimRef extent, PrintNames& names, const ScalarStyle& style);

// "(a, b)", "(a,)": the items of a Python tuple.
std::string TupleOf(const std::vector<std::string>& items);

}  // namespace lathe::ir

#endif  // LATHE_IR_PRINT_PRINT_SCALAR_H_
