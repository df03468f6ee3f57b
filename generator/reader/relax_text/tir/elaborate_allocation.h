// Elaborates allocations and views of buffers: T.alloc_buffer, T.allocate, T.decl_buffer,
// T.match_buffer.
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_ALLOCATION_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_ALLOCATION_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Each ElaborateX is a FrameFn (elaborate_tir_frame.h): it elaborates the call `e` of one function
// of T. `name` is the name of the new buffer or pointer.

// Elaborates T.allocate. The value of the frame is the pointer, not the buffer.
absl::StatusOr<TirFrame> ElaborateAllocate(StmtElaborator& s, const ast::Expr& e,
                                           absl::string_view name);
// Elaborates T.allocate_const, a pointer to constant data.
absl::StatusOr<TirFrame> ElaborateAllocateConst(StmtElaborator& s, const ast::Expr& e,
                                                absl::string_view name);

// Elaborates T.alloc_buffer. In kClassic it allocates in the enclosing block, like
// T.sblock_alloc_buffer; in later dialects it is a statement of its own.
absl::StatusOr<TirFrame> ElaborateAllocBuffer(StmtElaborator& s, const ast::Expr& e,
                                              absl::string_view name);
// Elaborates T.sblock_alloc_buffer. Adds the buffer to the allocations of the enclosing block.
absl::StatusOr<TirFrame> ElaborateBlockBuffer(StmtElaborator& s, const ast::Expr& e,
                                              absl::string_view name);
// Elaborate T.alloc_shared and T.alloc_local, allocations in the named memory scope.
absl::StatusOr<TirFrame> ElaborateAllocShared(StmtElaborator& s, const ast::Expr& e,
                                              absl::string_view name);
absl::StatusOr<TirFrame> ElaborateAllocLocal(StmtElaborator& s, const ast::Expr& e,
                                             absl::string_view name);

// Elaborates T.local_scalar("int32") and related functions: a one-element buffer whose name denotes
// the element.
absl::StatusOr<TirFrame> ElaborateScalarBuffer(StmtElaborator& s, const ast::Expr& e,
                                               absl::string_view name);
// Returns the frame of a one-element buffer of type `dtype`, as x = e creates it for a mutable
// scalar x.
TirFrame MakeScalarBuffer(StmtElaborator& s, absl::string_view name, ir::DType dtype,
                          absl::string_view scope, const TextSpan& span);

// Elaborates T.decl_buffer, which allocates memory if data= is not given.
absl::StatusOr<TirFrame> ElaborateDeclBuffer(StmtElaborator& s, const ast::Expr& e,
                                             absl::string_view name);
// Elaborates T.Buffer(...) as a value. It declares a buffer and never allocates memory.
absl::StatusOr<TirFrame> ElaborateBufferValue(StmtElaborator& s, const ast::Expr& e,
                                              absl::string_view name);
// Elaborates T.match_buffer of a parameter, or, in a block, of a region of another buffer.
absl::StatusOr<TirFrame> ElaborateMatchBuffer(StmtElaborator& s, const ast::Expr& e,
                                              absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_ALLOCATION_H_
