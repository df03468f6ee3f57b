// Reads the module-level statements I.module_attrs({...}) and I.module_global_infos({...}).
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_INFO_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_INFO_H_

#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

// Adds the attributes or global infos that `e` declares to the module. Returns false if `e` is not
// a call of one of the two functions.
bool ReadModuleInfo(Elaboration& el, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_INFO_H_
