#include "generator/lower/lower.h"

#include <utility>

#include "generator/lower/lower_function.h"
#include "generator/lower/lowering.h"

namespace lathe::lower {

absl::StatusOr<ir::Program> Lower(ir::Context& context, const ir::Module& module,
                                  Diagnostics& diags) {
  Lowering all(context, module, diags);
  for (int32_t i = 0; i < std::ssize(module.globals); ++i) {
    const ir::Global& global = module.globals[ir::GlobalId{i}];
    if (global.function() == nullptr || !ir::IsExported(global)) continue;
    (void)all.SignatureOf(ir::GlobalId{i});
  }
  for (size_t i = 0; i < all.waiting.size(); ++i) {
    const ir::GlobalId id = all.waiting[i];
    LowerFunction(all, *all.SignatureOf(id), *module.globals[id].function());
  }
  if (all.failed) return absl::UnimplementedError("the module cannot be lowered");
  return std::move(all.program);
}

}  // namespace lathe::lower
