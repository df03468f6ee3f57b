// Implements R.to_vdevice and R.hint_on_device, which place values on devices.
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "generator/ops/args/ir_names.h"
#include "generator/ops/args/operands.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

// Memoized: tuples share their fields, so a short program can have a tuple that is very large when
// expanded. Derivation bounds the depth.
using Moved = std::map<StructInfoRef, StructInfoRef>;

// `info` with every tensor in it on `device`.
StructInfoRef OnDevice(ir::Context& context, StructInfoRef info, ir::VDeviceRef device,
                       Moved& moved) {
  if (const auto known = moved.find(info); known != moved.end()) return known->second;
  StructInfoRef result = info;
  if (const auto* tensor = info->As<ir::TensorInfo>()) {
    ir::TensorInfo there = *tensor;
    there.vdevice = device;
    result = context.Make(ir::StructInfo::Node(std::move(there)));
  } else if (const auto* tuple = info->As<ir::TupleInfo>()) {
    std::vector<StructInfoRef> fields;
    for (StructInfoRef field : tuple->fields) {
      fields.push_back(OnDevice(context, field, device, moved));
    }
    result = context.Tuple(std::move(fields));
  }
  return moved[info] = result;
}

bool HoldsTensor(StructInfoRef info, std::set<StructInfoRef>& seen) {
  if (info->As<ir::TensorInfo>() != nullptr || info->As<ir::ObjectInfo>() != nullptr) return true;
  const auto* tuple = info->As<ir::TupleInfo>();
  if (tuple == nullptr) return false;
  if (!seen.insert(info).second) return true;
  for (StructInfoRef field : tuple->fields) {
    if (!HoldsTensor(field, seen)) return false;
  }
  return true;
}

absl::StatusOr<StructInfoRef> DataInfo(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, 0));
  StructInfoRef info = c.InfoOf(call.args[0]);
  std::set<StructInfoRef> seen;
  if (HoldsTensor(info, seen)) return info;
  return c.Error("op-argument-kind")
         << DescribeArg(c, call, 0) << " must be a tensor or a tuple of tensors";
}

}  // namespace

absl::StatusOr<StructInfoRef> InferToVDevice(InferContext& c, const Call& call) {
  LATHE_ASSIGN_OR_RETURN(StructInfoRef info, DataInfo(c, call));
  const auto* device = ir::FindAttr<ir::VDeviceRef>(call.attrs, "dst_vdevice");
  if (device == nullptr) {
    return c.Error("op-attribute")
           << "'dst_vdevice' of " << SurfaceName(call) << " must be a device of the module";
  }
  Moved moved;
  return OnDevice(c.ir(), info, *device, moved);
}

// A hint does not move data here; desugar_device_hints replaces it by to_vdevice.
absl::StatusOr<StructInfoRef> InferHintOnDevice(InferContext& c, const Call& call) {
  return DataInfo(c, call);
}

}  // namespace lathe::ops
