// Where the text of a function binds its names: to say of a name that is used too early that it is
// bound later.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_BINDING_SITES_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_BINDING_SITES_H_

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/reader/relax_text/syntax/ast.h"
#include "generator/support/source.h"

namespace lathe::relax_text {

// The last place that binds each name in `statements`, those inside them included.
absl::flat_hash_map<absl::string_view, TextSpan> BindingSites(ast::Block statements);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_BINDING_SITES_H_
