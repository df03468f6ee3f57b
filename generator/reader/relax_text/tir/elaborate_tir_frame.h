// Elaborates the functions of T that are a statement and have a value: allocations, views,
// immutable scalars, attributes, threads.
//
//   p = T.allocate([16], "float32", "global")          for the rest of the statements
//   with T.allocate([16], "float32", "global") as p:   for the body
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_TIR_FRAME_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_TIR_FRAME_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Elaborates the call `e` of a function of T. `name` is the name of the new variable or buffer.
using FrameFn = absl::StatusOr<TirFrame> (*)(StmtElaborator& s, const ast::Expr& e,
                                             absl::string_view name);

// Returns the elaborator of T.function, or null if that function is not of this family.
FrameFn FindFrame(absl::string_view function);

// Returns the frame of the call `e`. Returns nullopt if `e` is not a call of this family.
absl::StatusOr<std::optional<TirFrame>> ElaborateTirFrame(StmtElaborator& s, const ast::Expr& e,
                                                          absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_TIR_FRAME_H_
