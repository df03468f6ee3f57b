// The first dialect, in which Relax was proposed: R.Tensor[(n, k), "float32"], R.match_shape,
// R.outputs. It knew no purity, so that what a function is has to be read off what it does.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_OLDEST_DIALECT_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_OLDEST_DIALECT_H_

#include "absl/strings/string_view.h"
#include "generator/ir/module.h"

namespace lathe::relax_text {

bool IsOldestDialect(absl::string_view text);

// Whether a body of that dialect calls, outside of its dataflow blocks, a packed function, an
// operator with effects or a function of the module that is impure.
bool HasEffects(const ir::Module& module, const ir::Body& body);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_OLDEST_DIALECT_H_
