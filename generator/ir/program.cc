#include "generator/ir/program.h"

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
  return static_cast<int64_t>(StorageBytes(dtype, static_cast<uint64_t>(*count)));
}

std::optional<int64_t> Tensor::most_bytes() const {
  if (const auto exact = bytes()) return exact;
  if (!most_elements) return std::nullopt;
  return static_cast<int64_t>(StorageBytes(dtype, static_cast<uint64_t>(*most_elements)));
}

}  // namespace lathe::ir
