// The functions of T that are statements and have a value: memory, views, immutable scalars,
// attributes, threads.
//
//   p = T.allocate([16], "float32", "global")          for the rest of the statements
//   with T.allocate([16], "float32", "global") as p:   for the body
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_TIR_FRAME_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_TIR_FRAME_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Evaluates the call `e` of T.function; what it makes is called `name`.
using FrameFn = absl::StatusOr<TirFrame> (*)(StmtElaborator& s, const ast::Expr& e,
                                             absl::string_view name);

// Null when `function` is not one of them.
FrameFn FindFrame(absl::string_view function);

// The frame that `e` calls for; nothing when it is no such call.
absl::StatusOr<std::optional<TirFrame>> ElaborateTirFrame(StmtElaborator& s, const ast::Expr& e,
                                                          absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_TIR_FRAME_H_
