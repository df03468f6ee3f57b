// Finds where statements bind names. Diagnostics use the positions to report that a name is used
// before it is bound.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_BINDING_SITES_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_BINDING_SITES_H_

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

// Returns, for each name that `statements` bind, the span of the last binding in the text. Nested
// statements are included.
absl::flat_hash_map<absl::string_view, TextSpan> BindingSites(ast::Block statements);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_BINDING_SITES_H_
