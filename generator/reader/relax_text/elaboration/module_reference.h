// What refers to other parts of the file: functions of the module, constants of its metadata.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_MODULE_REFERENCE_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_MODULE_REFERENCE_H_

#include "absl/status/statusor.h"
#include "generator/ir/module.h"
#include "generator/reader/relax_text/elaboration/frame.h"

namespace lathe::relax_text {

// The function behind Module.f, cls.f; an error when the module has none of that name.
absl::StatusOr<ir::GlobalId> MemberGlobal(Frame& frame, const ast::Expr& e,
                                          const Elaboration::Member& member);

// metadata["relax.expr.Constant"][0]
bool IsMetadataReference(const ast::Expr& e);
absl::StatusOr<ir::Operand> MetadataOperand(Elaboration& el, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_MODULE_REFERENCE_H_
