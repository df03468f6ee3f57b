#include "generator/analysis/update_devices.h"

#include "absl/container/flat_hash_map.h"

namespace lathe::analysis {
namespace {

using ir::StructInfoRef;
using ir::VDeviceRef;

StructInfoRef OnDevice(ir::Context& context, StructInfoRef info, VDeviceRef device,
                       DeviceConflict conflict) {
  const auto& tensor = *info->As<ir::TensorInfo>();
  if (device == nullptr || tensor.vdevice == device) return info;
  if (tensor.vdevice != nullptr) {
    conflict(tensor.vdevice, device);
    return info;
  }
  ir::TensorInfo moved = tensor;
  moved.vdevice = device;
  return context.Make(ir::StructInfo::Node(std::move(moved)));
}

// Tuples may share their parts, so each pair is visited once.
struct Taking {
  ir::Context& context;
  DeviceConflict conflict;
  absl::flat_hash_map<std::pair<StructInfoRef, StructInfoRef>, StructInfoRef> done;

  StructInfoRef In(StructInfoRef info, StructInfoRef from) {
    const auto* tensor = from->As<ir::TensorInfo>();
    if (tensor != nullptr && info->As<ir::TensorInfo>() != nullptr) {
      return OnDevice(context, info, tensor->vdevice, conflict);
    }
    const auto* to_tuple = info->As<ir::TupleInfo>();
    const auto* from_tuple = from->As<ir::TupleInfo>();
    if (to_tuple == nullptr || from_tuple == nullptr) return info;
    if (to_tuple->fields.size() != from_tuple->fields.size()) return info;
    if (const auto it = done.find({info, from}); it != done.end()) return it->second;
    std::vector<StructInfoRef> fields = to_tuple->fields;
    for (size_t i = 0; i < fields.size(); ++i) fields[i] = In(fields[i], from_tuple->fields[i]);
    StructInfoRef result = context.Tuple(std::move(fields));
    done.emplace(std::pair(info, from), result);
    return result;
  }
};

struct Putting {
  ir::Context& context;
  VDeviceRef device;
  DeviceConflict conflict;
  absl::flat_hash_map<StructInfoRef, StructInfoRef> done;

  StructInfoRef In(StructInfoRef info) {
    if (info->As<ir::TensorInfo>() != nullptr) return OnDevice(context, info, device, conflict);
    const auto* tuple = info->As<ir::TupleInfo>();
    if (tuple == nullptr) return info;
    if (const auto it = done.find(info); it != done.end()) return it->second;
    std::vector<StructInfoRef> fields = tuple->fields;
    for (StructInfoRef& field : fields) field = In(field);
    StructInfoRef result = context.Tuple(std::move(fields));
    done.emplace(info, result);
    return result;
  }
};

}  // namespace

StructInfoRef UpdateDevices(ir::Context& context, StructInfoRef info, StructInfoRef from,
                            DeviceConflict conflict) {
  return Taking{context, conflict, {}}.In(info, from);
}

StructInfoRef AssignDevice(ir::Context& context, StructInfoRef info, VDeviceRef device,
                           DeviceConflict conflict) {
  return Putting{context, device, conflict, {}}.In(info);
}

}  // namespace lathe::analysis
