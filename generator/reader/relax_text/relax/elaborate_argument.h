// Elaborates an argument of an operator according to the kind of its parameter.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ARGUMENT_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ARGUMENT_H_

#include "absl/status/statusor.h"
#include "generator/ir/op.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Returns the operand for `param` that `e` denotes. If `param` takes a tuple, a single tensor is
// wrapped in a tuple. A variable is wrapped only if `wrap` is true and it is not known to be a
// tuple, a shape, a function or an object.
absl::StatusOr<ir::Operand> ElaborateArgument(Frame& frame, const ast::Expr& e,
                                              const ir::OpParam& param, bool wrap);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ARGUMENT_H_
