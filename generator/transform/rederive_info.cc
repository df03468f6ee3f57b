#include "generator/transform/rederive_info.h"

#include "generator/analysis/derive/derive_struct_info.h"

namespace lathe::transform {

void RederiveInfo(ir::Context& context, ir::Module& module, Diagnostics& diags) {
  Diagnostics found;
  analysis::DeriveStructInfo(context, module, found);
  for (const Diagnostic& d : found.all()) {
    if (d.severity == Severity::kError) diags.Add(d);
  }
}

}  // namespace lathe::transform
