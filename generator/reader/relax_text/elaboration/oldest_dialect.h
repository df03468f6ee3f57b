// Detects and supports the oldest Relax dialect: R.Tensor[(n, k), "float32"], R.match_shape,
// R.outputs. It had no purity annotations, so the purity of a function is derived from its body.
#ifndef LATHE_READER_RELAX_TEXT_ELABORATION_OLDEST_DIALECT_H_
#define LATHE_READER_RELAX_TEXT_ELABORATION_OLDEST_DIALECT_H_

#include "absl/strings/string_view.h"
#include "generator/ir/module.h"

namespace lathe::relax_text {

bool IsOldestDialect(absl::string_view text);

// Returns true if `body` contains an impure call outside of its dataflow blocks: a call of a packed
// function, of an operator with side effects, or of a PrimFunc or an impure function of the module.
bool HasEffects(const ir::Module& module, const ir::Body& body);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_ELABORATION_OLDEST_DIALECT_H_
