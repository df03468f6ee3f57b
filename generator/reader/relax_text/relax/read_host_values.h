// Statements of Python above the module, as far as they bind names: M, N = 4, 8.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_READ_HOST_VALUES_H_
#define LATHE_READER_RELAX_TEXT_RELAX_READ_HOST_VALUES_H_

#include "generator/reader/relax_text/elaboration/elaboration.h"
#include "generator/reader/relax_text/syntax/ast.h"

namespace lathe::relax_text {

// Adds what `s` binds to the host values of `el`. Whether all that `s` does is to name numbers and
// shape variables, so that it has been read whole.
bool ReadHostValues(Elaboration& el, const ast::Stmt& s);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_READ_HOST_VALUES_H_
