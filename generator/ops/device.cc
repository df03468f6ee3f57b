// Where a value lives: R.to_vdevice, R.hint_on_device.
#include <utility>
#include <vector>

#include "generator/ops/operands.h"
#include "generator/support/status.h"

namespace lathe::ops {
namespace {

using ir::Call;
using ir::InferContext;
using ir::StructInfoRef;

// `info` with every tensor in it on `device`. The nesting of a StructInfo is bounded by the reader.
StructInfoRef OnDevice(ir::Context& context, StructInfoRef info, ir::VDeviceRef device) {
  if (const auto* tensor = info->As<ir::TensorInfo>()) {
    ir::TensorInfo moved = *tensor;
    moved.vdevice = device;
    return context.Make(ir::StructInfo::Node(std::move(moved)));
  }
  if (const auto* tuple = info->As<ir::TupleInfo>()) {
    std::vector<StructInfoRef> fields;
    for (StructInfoRef field : tuple->fields) fields.push_back(OnDevice(context, field, device));
    return context.Tuple(std::move(fields));
  }
  return info;
}

bool HoldsTensor(StructInfoRef info) {
  if (info->As<ir::TensorInfo>() != nullptr || info->As<ir::ObjectInfo>() != nullptr) return true;
  const auto* tuple = info->As<ir::TupleInfo>();
  if (tuple == nullptr) return false;
  for (StructInfoRef field : tuple->fields) {
    if (!HoldsTensor(field)) return false;
  }
  return true;
}

absl::StatusOr<StructInfoRef> DataInfo(InferContext& c, const Call& call) {
  LATHE_RETURN_IF_ERROR(NeedArg(c, call, 0));
  StructInfoRef info = c.InfoOf(call.args[0]);
  if (HoldsTensor(info)) return info;
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
  return OnDevice(c.ir(), info, *device);
}

// A hint moves nothing: it is turned into to_vdevice where devices are settled.
absl::StatusOr<StructInfoRef> InferHintOnDevice(InferContext& c, const Call& call) {
  return DataInfo(c, call);
}

}  // namespace lathe::ops
