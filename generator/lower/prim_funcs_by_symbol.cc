#include "generator/lower/prim_funcs_by_symbol.h"

namespace lathe::lower {

std::optional<ir::GlobalId> PrimFuncOf(const ir::Module& module, const std::string& symbol) {
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::PrimFunc* func = module.globals[ir::GlobalId{i}].prim_func();
    const auto* own =
        func == nullptr ? nullptr : ir::FindAttr<std::string>(func->attrs, ir::kGlobalSymbol);
    if (own != nullptr && *own == symbol) return ir::GlobalId{i};
  }
  return std::nullopt;
}

}  // namespace lathe::lower
