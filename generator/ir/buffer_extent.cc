#include "generator/ir/buffer_extent.h"

#include "generator/ir/packed_elements.h"

namespace lathe::ir {
namespace {

bool MulAdd(int64_t a, int64_t b, int64_t& sum) {
  int64_t product = 0;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(sum, product, &sum);
}

}  // namespace

bool IsPlainMemory(const Buffer& buffer) {
  return buffer.strides.empty() && buffer.elem_offset == nullptr && buffer.dtype.lanes == 1 &&
         !IsPacked(buffer.dtype);
}

std::optional<int64_t> ExtentOf(const Buffer& buffer) {
  const bool strided = buffer.strides.size() == buffer.shape.size() && !buffer.shape.empty();
  int64_t elements = 1, last = 0;
  for (size_t i = 0; i < buffer.shape.size(); ++i) {
    const auto* size = buffer.shape[i]->As<IntImm>();
    const auto* stride = strided ? buffer.strides[i]->As<IntImm>() : nullptr;
    if (size == nullptr || (strided && stride == nullptr)) return std::nullopt;
    if (__builtin_mul_overflow(elements, size->value, &elements)) return std::nullopt;
    if (strided && !MulAdd(size->value - 1, stride->value, last)) return std::nullopt;
  }
  if (!strided || elements == 0) return elements;
  return last + 1;
}

}  // namespace lathe::ir
