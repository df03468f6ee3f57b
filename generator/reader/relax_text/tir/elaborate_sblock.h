// Elaborates blocks, with T.sblock("name"), and the statements that are only allowed in blocks:
// axes, regions, predicates and init.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SBLOCK_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SBLOCK_H_

#include <functional>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Emits the block of with T.sblock(...). `fill` emits its statements; `e` is the call.
void ElaborateBlock(StmtElaborator& s, const ast::Expr& e, const TextSpan& span,
                    const std::function<void()>& fill);

// Sets the init statement of the enclosing block from with T.init(). `fill` emits its statements;
// `e` is the call.
void ElaborateInit(StmtElaborator& s, const ast::Expr& e, const TextSpan& span,
                   const std::function<void()>& fill);

// IsBlockStatement returns true for reads, writes, where, block_attr and sblock_attr.
// ElaborateBlockStatement adds the information of such a call `e` to the enclosing block.
bool IsBlockStatement(absl::string_view function);
absl::Status ElaborateBlockStatement(StmtElaborator& s, const ast::Expr& e,
                                     absl::string_view function);

// IsAxis returns true for axis.spatial and related functions. ElaborateAxis adds the axes of such a
// call `e` to the enclosing block and returns the axis variable, or a tuple of them. `target`,
// which may be null, names the variables.
bool IsAxis(absl::string_view function);
absl::StatusOr<ScalarValue> ElaborateAxis(StmtElaborator& s, const ast::Expr& e,
                                          absl::string_view function, const ast::Expr* target);

// Returns `value` as a region of a buffer: A[i, lo:hi], A[i, j] or A. Returns nullopt if `value` is
// not part of a buffer.
absl::StatusOr<std::optional<ir::BufferRegion>> RegionOf(StmtElaborator& s, const ast::Expr& e,
                                                         const ScalarValue& value);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_SBLOCK_H_
