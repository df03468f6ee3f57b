// Blocks: with T.sblock("name"), and what stands only in them: axes, regions, predicates, init.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SBLOCK_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SBLOCK_H_

#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// with T.sblock(...): `fill` emits the statements inside. `e` is the call.
void ElaborateBlock(StmtElaborator& s, const ast::Expr& e, const TextSpan& span,
                    const std::function<void()>& fill);

// with T.init():
void ElaborateInit(StmtElaborator& s, const ast::Expr& e, const TextSpan& span,
                   const std::function<void()>& fill);

// T.reads, T.writes, T.where, T.sblock_attr; false for any other function.
bool IsBlockStatement(absl::string_view function);
absl::Status ElaborateBlockStatement(StmtElaborator& s, const ast::Expr& e,
                                     absl::string_view function);

// T.axis.spatial and the like: one axis, or a tuple of them; `target` (which may be null) names
// them. False for any other function.
bool IsAxis(absl::string_view function);
absl::StatusOr<ScalarValue> ElaborateAxis(StmtElaborator& s, const ast::Expr& e,
                                          absl::string_view function, const ast::Expr* target);

// A[i, lo:hi] as a region; nothing when `value` is no part of a buffer.
absl::StatusOr<std::optional<ir::BufferRegion>> RegionOf(StmtElaborator& s, const ast::Expr& e,
                                                         const ScalarValue& value);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SBLOCK_H_
