// Reads Python statements above the module and records the names that they bind: M, N = 4, 8.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_READ_HOST_VALUES_H_
#define LATHE_READER_RELAX_TEXT_RELAX_READ_HOST_VALUES_H_

#include "generator/reader/relax_text/elaboration/elaboration.h"
#include "generator/reader/relax_text/syntax/ast.h"

namespace lathe::relax_text {

// Adds the names that `s` binds to el.host_values(). Returns true if `s` binds only numbers and
// int64 shape variables. If it returns false, the names are recorded all the same, some of them
// with unknown values.
bool ReadHostValues(Elaboration& el, const ast::Stmt& s);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_READ_HOST_VALUES_H_
