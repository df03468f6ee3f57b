#include "generator/transform/realize_vdevice.h"

#include "generator/analysis/derive/derive_struct_info.h"
#include "generator/transform/check_devices_known.h"
#include "generator/transform/desugar_device_hints.h"
#include "generator/transform/propagate_devices.h"

namespace lathe::transform {

void RealizeVDevice(ir::Context& context, ir::Module& module, Diagnostics& diags) {
  if (module.vdevices().empty()) return analysis::DeriveStructInfo(context, module, diags);
  const int errors = diags.error_count();
  Diagnostics premature;
  analysis::DeriveStructInfo(context, module, premature);
  if (DesugarDeviceHints(context, module, diags)) {
    Diagnostics again;
    analysis::DeriveStructInfo(context, module, again);
  }
  PropagateDevicesBackward(context, module, diags);
  analysis::DeriveStructInfo(context, module, diags);
  if (diags.error_count() == errors) CheckDevicesKnown(module, diags);
}

}  // namespace lathe::transform
