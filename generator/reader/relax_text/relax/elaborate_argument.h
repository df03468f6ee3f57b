// An argument of an operator, of the kind that its parameter takes.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ARGUMENT_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ARGUMENT_H_

#include "absl/status/statusor.h"
#include "generator/ir/op.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// `wrap`: a value of which nothing says that it is a tuple is wrapped in one, where one is wanted.
absl::StatusOr<ir::Operand> ElaborateArgument(Frame& frame, const ast::Expr& e,
                                              const ir::OpParam& param, bool wrap);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_ARGUMENT_H_
