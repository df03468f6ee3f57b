// Resolves references to other parts of the file: functions of the module and constants of its
// metadata.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_MODULE_REFERENCE_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_MODULE_REFERENCE_H_

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// Returns the function that Module.f or cls.f names. Reports an error if the module has no function
// of that name.
absl::StatusOr<ir::GlobalId> MemberGlobal(Frame& frame, const ast::Expr& e,
                                          const Elaboration::Member& member);

// IsMetadataReference returns true if `e` has the form metadata["relax.expr.Constant"][0].
// MetadataOperand returns the constant or string that such an `e` refers to.
bool IsMetadataReference(const ast::Expr& e);
absl::StatusOr<ir::Operand> MetadataOperand(Elaboration& el, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_MODULE_REFERENCE_H_
