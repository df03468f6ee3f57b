// Propagates the devices of tensors from one info to another: the specification's
// update_struct_info.
#ifndef LATHE_ANALYSIS_UPDATE_DEVICES_H_
#define LATHE_ANALYSIS_UPDATE_DEVICES_H_

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// Called for a tensor of `info` with a device other than the one it would get.
using DeviceConflict = absl::FunctionRef<void(ir::VDeviceRef is, ir::VDeviceRef wanted)>;

// Gives each tensor of `info` without a device the one at the same position in `from`. Tuples are
// visited field by field; where the structures differ, `info` is unchanged.
ir::StructInfoRef UpdateDevices(ir::Context& context, ir::StructInfoRef info,
                                ir::StructInfoRef from, DeviceConflict conflict);

// Gives each tensor of `info` without a device the device `device`.
ir::StructInfoRef AssignDevice(ir::Context& context, ir::StructInfoRef info, ir::VDeviceRef device,
                               DeviceConflict conflict);

// For callers that check conflicts elsewhere.
inline void IgnoreConflict(ir::VDeviceRef, ir::VDeviceRef) {}

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_UPDATE_DEVICES_H_
