#include "generator/ir/program.h"

#include <set>

namespace lathe::ir {

std::optional<int64_t> Tensor::elements() const {
  int64_t count = 1;
  for (PrimRef dim : shape) {
    const auto* size = dim->As<IntImm>();
    if (size == nullptr || __builtin_mul_overflow(count, size->value, &count)) return std::nullopt;
  }
  return count;
}

std::optional<int64_t> Tensor::bytes() const {
  const std::optional<int64_t> count = elements();
  if (!count) return std::nullopt;
  if (is_value()) return kValueBytes;
  return static_cast<int64_t>(StorageBytes(dtype, static_cast<uint64_t>(*count)));
}

std::optional<int64_t> Tensor::max_bytes() const {
  if (const auto exact = bytes()) return exact;
  if (!max_elements) return std::nullopt;
  return static_cast<int64_t>(StorageBytes(dtype, static_cast<uint64_t>(*max_elements)));
}

std::vector<TensorId> Program::ConstantsInUse() const {
  std::set<int32_t> used;
  for (int32_t i = 0; i < std::ssize(routines); ++i) {
    ForEachStep(routines[RoutineId{i}].steps, [&](const Step& step) {
      ForEachTensor(step, [&](TensorId id) {
        id = Whole(id);
        if (tensors[id].home == Home::kConstant) used.insert(id.index);
      });
    });
  }
  std::vector<TensorId> all;
  std::set<int32_t> constants;
  for (int32_t index : used) {
    const TensorId id{index};
    if (constants.insert(tensors[id].constant.index).second) all.push_back(id);
  }
  return all;
}

}  // namespace lathe::ir
