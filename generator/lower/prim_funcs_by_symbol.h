// Finds PrimFuncs of the module by the symbol under which packed calls refer to them.
#ifndef LATHE_LOWER_PRIM_FUNCS_BY_SYMBOL_H_
#define LATHE_LOWER_PRIM_FUNCS_BY_SYMBOL_H_

#include <optional>
#include <string>

#include "generator/ir/module.h"

namespace lathe::lower {

// Returns the PrimFunc whose attribute "global_symbol" is `symbol`, or nothing.
std::optional<ir::GlobalId> PrimFuncOf(const ir::Module& module, const std::string& symbol);

}  // namespace lathe::lower

#endif  // LATHE_LOWER_PRIM_FUNCS_BY_SYMBOL_H_
