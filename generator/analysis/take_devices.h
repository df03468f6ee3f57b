// Where tensors lie, carried from one info to another: the specification's update_struct_info.
#ifndef LATHE_ANALYSIS_TAKE_DEVICES_H_
#define LATHE_ANALYSIS_TAKE_DEVICES_H_

#include "absl/functional/function_ref.h"
#include "generator/ir/context.h"
#include "generator/ir/struct_info.h"

namespace lathe::analysis {

// Told of a tensor of `info` that lies on one device, and would lie on another.
using DeviceConflict = absl::FunctionRef<void(ir::VDeviceRef is, ir::VDeviceRef wanted)>;

// `info`, with each tensor that names no device on that of its place in `from`. Tuples are gone
// through field by field; where the two are built differently, `info` stays as it is.
ir::StructInfoRef TakeDevices(ir::Context& context, ir::StructInfoRef info, ir::StructInfoRef from,
                              DeviceConflict conflict);

// The same with one device for every tensor.
ir::StructInfoRef PutOnDevice(ir::Context& context, ir::StructInfoRef info, ir::VDeviceRef device,
                              DeviceConflict conflict);

// For what checks conflicts elsewhere.
inline void IgnoreConflict(ir::VDeviceRef, ir::VDeviceRef) {}

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_TAKE_DEVICES_H_
