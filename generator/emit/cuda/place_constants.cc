#include "generator/emit/cuda/place_constants.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/emit/c/kernel/print_c_expr.h"
#include "generator/emit/c/names/c_address.h"
#include "generator/emit/c/names/c_types.h"
#include "generator/emit/cuda/device_place.h"

namespace lathe::emit {
namespace {

// For each constant that steps read, and each device that reads it: a tensor of the constant.
using Readers = std::map<ir::ConstantId, std::map<int, ir::TensorId>>;

Readers ReadersOf(const ir::Program& program) {
  Readers readers;
  for (int32_t i = 0; i < std::ssize(program.routines); ++i) {
    ir::ForEachStep(program.routines[ir::RoutineId{i}].steps, [&](const ir::Step& step) {
      ir::ForEachTensor(step, [&](ir::TensorId id) {
        id = program.Whole(id);
        const ir::Tensor& tensor = program.tensors[id];
        if (tensor.home == ir::Home::kConstant) readers[tensor.constant].emplace(tensor.device, id);
      });
    });
  }
  return readers;
}

}  // namespace

absl::StatusOr<PlacedWeights> PlaceConstants(Model& model, std::string& blob) {
  const Readers readers = ReadersOf(model.program);
  std::map<std::set<int>, std::vector<ir::ConstantId>> groups;
  for (const auto& [constant, tensors] : readers) {
    std::set<int> devices;
    for (const auto& [device, tensor] : tensors) devices.insert(device);
    groups[devices].push_back(constant);
  }
  PlacedWeights placed;
  placed.sizes.resize(model.program.devices.size());
  const size_t align = static_cast<size_t>(std::max<int64_t>(model.target.ram_align, 16));
  for (const auto& [devices, constants] : groups) {
    const size_t from = blob.size();
    for (ir::ConstantId constant : constants) {
      for (const auto& [device, id] : readers.at(constant)) {
        const ir::DType dtype = model.program.tensors[id].dtype;
        const std::string type(CType(dtype));
        if (type.empty()) return CannotPrint(absl::StrCat("a constant of ", ToString(dtype)));
        const size_t at = placed.sizes[static_cast<size_t>(device)] + blob.size() - from;
        model.constants[{constant, device}] =
            absl::StrCat("(const ", type, " *)(const void *)",
                         AddressOf(DevicePlace(device) + ".weights", absl::StrCat(at)));
      }
      const std::vector<uint8_t>& bytes = *model.program.constants[constant].bytes;
      blob.append(bytes.begin(), bytes.end());
      blob.resize((blob.size() + align - 1) / align * align);
    }
    for (int device : devices) {
      size_t& size = placed.sizes[static_cast<size_t>(device)];
      placed.parts.push_back({device, from, size, blob.size() - from});
      size += blob.size() - from;
    }
  }
  return placed;
}

}  // namespace lathe::emit
