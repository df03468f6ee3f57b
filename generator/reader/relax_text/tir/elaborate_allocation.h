// Memory and views of it: T.alloc_buffer, T.allocate, T.decl_buffer, T.match_buffer.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_ALLOCATION_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_ALLOCATION_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Each evaluates the call `e` of the function it is called after; see elaborate_tir_frame.h.

// A bare pointer.
absl::StatusOr<TirFrame> ElaborateAllocate(StmtElaborator& s, const ast::Expr& e,
                                           absl::string_view name);
absl::StatusOr<TirFrame> ElaborateAllocateConst(StmtElaborator& s, const ast::Expr& e,
                                                absl::string_view name);

// Memory of the block around, until 0.23; a statement of its own since.
absl::StatusOr<TirFrame> ElaborateAllocBuffer(StmtElaborator& s, const ast::Expr& e,
                                              absl::string_view name);
absl::StatusOr<TirFrame> ElaborateBlockBuffer(StmtElaborator& s, const ast::Expr& e,
                                              absl::string_view name);
absl::StatusOr<TirFrame> ElaborateAllocShared(StmtElaborator& s, const ast::Expr& e,
                                              absl::string_view name);
absl::StatusOr<TirFrame> ElaborateAllocLocal(StmtElaborator& s, const ast::Expr& e,
                                             absl::string_view name);

// T.local_scalar("int32"): a buffer of one element, which its name stands for.
absl::StatusOr<TirFrame> ElaborateScalarBuffer(StmtElaborator& s, const ast::Expr& e,
                                               absl::string_view name);
// The same for a type that is known: what x = e makes.
TirFrame MakeScalarBuffer(StmtElaborator& s, absl::string_view name, ir::DType dtype,
                          absl::string_view scope, const TextSpan& span);

// Without data= it allocates.
absl::StatusOr<TirFrame> ElaborateDeclBuffer(StmtElaborator& s, const ast::Expr& e,
                                             absl::string_view name);
// T.Buffer(...) as a value: declares, and never allocates.
absl::StatusOr<TirFrame> ElaborateBufferValue(StmtElaborator& s, const ast::Expr& e,
                                              absl::string_view name);
// Of a parameter, or of a region of another buffer in a block.
absl::StatusOr<TirFrame> ElaborateMatchBuffer(StmtElaborator& s, const ast::Expr& e,
                                              absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_ALLOCATION_H_
