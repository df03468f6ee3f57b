#include "generator/emit/cuda/device_view.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/support/align_up.h"

namespace lathe::emit {
namespace {

using Dict = TemplateValue::Dict;
using List = TemplateValue::List;

// An upper bound of the bytes of the arguments of host copies and fills.
constexpr int64_t kLeastGiven = 32;

// Returns the devices with kernels that may fail.
std::set<int> FailingDevices(const Model& model) {
  std::set<int> failing;
  for (int32_t i = 0; i < std::ssize(model.program.routines); ++i) {
    ir::ForEachStep(model.program.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
      const auto* kernel = std::get_if<ir::KernelStep>(&step.node);
      if (kernel == nullptr || !model.kernels[kernel->kernel].fails) return;
      failing.insert(model.program.DeviceOf(*kernel));
    });
  }
  return failing;
}

}  // namespace

List DeviceList(const ir::Program& program) {
  List list;
  int of_host = 0;  // the first GPU, whose stream runs the host's steps
  for (size_t i = program.devices.size(); i-- > 0;) {
    if (!program.devices[i].is_host) of_host = program.devices[i].index;
  }
  for (const ir::Device& device : program.devices) {
    list.push_back(Dict{{"number", absl::StrCat(list.size())},
                        {"name", device.name},
                        {"is_host", device.is_host},
                        {"index", absl::StrCat(device.is_host ? of_host : device.index)}});
  }
  if (list.empty()) {
    list.push_back(Dict{{"number", "0"}, {"name", ""}, {"is_host", false}, {"index", "0"}});
  }
  return list;
}

std::vector<int64_t> BytesBefore(const Model& model, int64_t argument_bytes) {
  const int64_t align = model.target.ram_align;
  if (!model.plan.has_devices()) return {model.kernels_fail() ? align : 0};
  const std::set<int> failing = FailingDevices(model);
  std::vector<int64_t> before;
  for (const ir::Device& device : model.program.devices) {
    int64_t bytes = failing.contains(static_cast<int>(before.size())) ? align : 0;
    if (device.is_host) bytes = align + AlignUp(std::max(argument_bytes, kLeastGiven), align);
    before.push_back(bytes);
  }
  return before;
}

void AddDevices(const Model& model, const PlacedWeights& weights, Dict& view) {
  view["placed"] = model.plan.has_devices();
  view["has_host"] = false;
  if (!model.plan.has_devices()) return;
  const std::set<int> failing = FailingDevices(model);
  List devices, parts;
  const List all = DeviceList(model.program);
  for (size_t i = 0; i < all.size(); ++i) {
    const ir::Device& device = model.program.devices[i];
    if (device.is_host) {
      view["has_host"] = true;
      view["host"] = absl::StrCat(i);
    }
    Dict one = *all[i].As<Dict>();
    one["fails"] = failing.contains(static_cast<int>(i));
    one["weights"] = absl::StrCat(weights.sizes.empty() ? 0 : weights.sizes[i]);
    devices.push_back(std::move(one));
  }
  for (const WeightsPart& part : weights.parts) {
    parts.push_back(Dict{{"text", absl::StrCat("{", part.device, ", ", part.from, ", ", part.to,
                                               ", ", part.bytes, "}")}});
  }
  view["device_count"] = absl::StrCat(devices.size());
  view["devices"] = std::move(devices);
  view["part_count"] = absl::StrCat(parts.size());
  view["parts"] = std::move(parts);
}

}  // namespace lathe::emit
