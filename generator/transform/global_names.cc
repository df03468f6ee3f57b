#include "generator/transform/global_names.h"

#include "absl/strings/str_cat.h"
#include "generator/ir/print_names.h"

namespace lathe::transform {

GlobalNames::GlobalNames(const ir::Module& module) {
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::Global& global = module.globals[ir::GlobalId{i}];
    taken_.try_emplace(global.name, 0);
    // Exported functions are also found by their global symbol.
    if (global.attrs() == nullptr) continue;
    const auto* symbol = ir::FindAttr<std::string>(*global.attrs(), ir::kGlobalSymbol);
    if (symbol != nullptr) taken_.try_emplace(*symbol, 0);
  }
}

std::string GlobalNames::Unique(absl::string_view wanted) {
  const std::string base = ir::ToIdentifier(wanted);
  if (taken_.try_emplace(base, 0).second) return base;
  while (true) {
    std::string name = absl::StrCat(base, ++taken_[base]);
    if (taken_.try_emplace(name, 0).second) return name;
  }
}

}  // namespace lathe::transform
