// A file as a module: the class under @I.ir_module, or functions that stand alone.
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_H_

#include <optional>
#include <vector>

#include "generator/reader/relax_text/elaboration/elaboration.h"
#include "generator/reader/relax_text/elaboration/remains.h"

namespace lathe::relax_text {

// Fills in the module of `el`. All problems are in its diagnostics; gives the functions that have
// some, and nothing where the module around them has.
std::optional<std::vector<DamagedFunction>> ElaborateModule(Elaboration& el,
                                                            const ast::Module& file);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_H_
