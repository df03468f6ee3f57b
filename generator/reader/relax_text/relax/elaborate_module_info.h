// I.module_attrs({...}) and I.module_global_infos({...}).
#ifndef LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_INFO_H_
#define LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_INFO_H_

#include "generator/reader/relax_text/elaboration/elaboration.h"

namespace lathe::relax_text {

// Puts what `e` says into the module; false when it is no such call.
bool ReadModuleInfo(Elaboration& el, const ast::Expr& e);

}  // namespace lathe::relax_text

#endif  // LATHE_READER_RELAX_TEXT_RELAX_ELABORATE_MODULE_INFO_H_
