// Elaborates views of buffers: A.view(4, -1), A.view("uint8").
#ifndef LATHE_READER_RELAX_TEXT_TIR_ELABORATE_BUFFER_VIEW_H_
#define LATHE_READER_RELAX_TEXT_TIR_ELABORATE_BUFFER_VIEW_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/tir/stmt_elaborator.h"

namespace lathe::relax_text {

// Returns the declaration that the call `e` of `buffer`.view makes: the same memory with another
// shape of as many elements, or with elements of another dtype. `name` is the name of the view.
absl::StatusOr<TirFrame> ElaborateBufferView(StmtElaborator& s, const ast::Expr& e,
                                             ir::BufferRef buffer, absl::string_view name);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_TIR_ELABORATE_BUFFER_VIEW_H_
