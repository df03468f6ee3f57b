// Elaborates a file into a module: the class decorated with @I.ir_module, or the functions of a
// file without one.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_H_

#include <optional>
#include <vector>

#include "generator/reader/relax_text/elaboration/elaboration.h"
#include "generator/reader/relax_text/elaboration/remains.h"

namespace lathe::relax_text {

// Fills in el.module(). All errors are reported in el.diags(). Returns the functions that have
// errors. Returns nullopt if there are errors outside of functions.
std::optional<std::vector<DamagedFunction>> ElaborateModule(Elaboration& el,
                                                            const ast::Module& file);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_H_
