#include "generator/interp/data/tensor.h"

#include <cstdlib>
#include <cstring>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/support/check.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are copied in host byte order");

template <typename T>
Bits LoadAs(const uint8_t* data, uint64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return static_cast<Bits>(value);
}

template <typename T>
void StoreAs(uint8_t* data, uint64_t index, Bits bits) {
  const T value = static_cast<T>(bits);
  std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

Bits LoadPacked(const uint8_t* data, int width, uint64_t index) {
  Bits value = 0;
  for (int i = 0; i < width; ++i) {
    const uint64_t bit = index * static_cast<uint64_t>(width) + static_cast<uint64_t>(i);
    value |= static_cast<Bits>(data[bit / 8] >> (bit % 8) & 1) << i;
  }
  return value;
}

void StorePacked(uint8_t* data, int width, uint64_t index, Bits value) {
  for (int i = 0; i < width; ++i) {
    const uint64_t bit = index * static_cast<uint64_t>(width) + static_cast<uint64_t>(i);
    const uint8_t mask = static_cast<uint8_t>(1 << bit % 8);
    if ((value >> i & 1) != 0) {
      data[bit / 8] |= mask;
    } else {
      data[bit / 8] &= static_cast<uint8_t>(~mask);
    }
  }
}

}  // namespace

void Storage::FreeMemory::operator()(uint8_t* p) const { std::free(p); }

absl::StatusOr<std::shared_ptr<Storage>> Storage::Allocate(
    uint64_t size, const std::shared_ptr<MemoryBudget>& budget) {
  // The record itself counts too; otherwise a loop that creates empty tensors would be unbounded.
  const uint64_t counted = size + sizeof(Storage) + 64;
  if (size > (uint64_t{1} << 60) || !budget->Take(counted)) {
    return absl::ResourceExhaustedError(
        absl::StrCat(size, " bytes in addition to the ", budget->used(),
                     " in use would exceed the limit of ", budget->max_bytes(), " bytes"));
  }
  std::shared_ptr<Storage> storage(new Storage());
  storage->share_ = BudgetShare(budget, counted);
  storage->size_ = size;
  storage->data_.reset(static_cast<uint8_t*>(std::malloc(size == 0 ? 1 : size)));
  if (storage->data_ == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat("cannot allocate ", size, " bytes"));
  }
  std::memset(storage->data_.get(), budget->fresh(), size);
  return storage;
}

Bits ReadElement(const uint8_t* data, ir::DType t, uint64_t index) {
  if (t.is_bool()) return data[index] != 0;
  switch (t.bits) {
    case 8:
      return t.is_int() ? LoadAs<int8_t>(data, index) : LoadAs<uint8_t>(data, index);
    case 16:
      return t.is_int() ? LoadAs<int16_t>(data, index) : LoadAs<uint16_t>(data, index);
    case 32:
      return t.is_int() ? LoadAs<int32_t>(data, index) : LoadAs<uint32_t>(data, index);
    case 64:
      return LoadAs<uint64_t>(data, index);
    default:
      break;
  }
  const Bits value = LoadPacked(data, t.bits, index);
  return t.is_int() ? WrapSigned(value, t.bits) : value;
}

void WriteElement(uint8_t* data, ir::DType t, uint64_t index, Bits value) {
  if (t.is_bool()) {
    data[index] = value != 0;
    return;
  }
  switch (t.bits) {
    case 8:
      return StoreAs<uint8_t>(data, index, value);
    case 16:
      return StoreAs<uint16_t>(data, index, value);
    case 32:
      return StoreAs<uint32_t>(data, index, value);
    case 64:
      return StoreAs<uint64_t>(data, index, value);
    default:
      return StorePacked(data, t.bits, index, value);
  }
}

uint64_t Tensor::num_elements() const {
  uint64_t count = 1;
  for (int64_t dim : shape) count *= static_cast<uint64_t>(dim);
  return count;
}

std::optional<uint64_t> CountElements(absl::Span<const int64_t> shape) {
  constexpr uint64_t kLimit = uint64_t{1} << 48;
  bool empty = false;
  uint64_t count = 1;
  for (int64_t dim : shape) {
    if (dim < 0 || static_cast<uint64_t>(dim) > kLimit) return std::nullopt;
    if (dim == 0) {
      empty = true;
    } else if (count > kLimit / static_cast<uint64_t>(dim)) {
      return std::nullopt;
    } else {
      count *= static_cast<uint64_t>(dim);
    }
  }
  return empty ? 0 : count;
}

absl::StatusOr<uint64_t> ElementsToHold(absl::Span<const int64_t> shape,
                                        const MemoryBudget& budget) {
  if (const std::optional<uint64_t> count = CountElements(shape)) return *count;
  for (int64_t dim : shape) {
    if (dim >= 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(ShapeToString(shape), " is not the shape of a tensor"));
  }
  return absl::ResourceExhaustedError(absl::StrCat("a tensor of shape ", ShapeToString(shape),
                                                   " would exceed the limit of ",
                                                   budget.max_bytes(), " bytes"));
}

absl::StatusOr<TensorRef> NewTensor(ir::DType dtype, std::vector<int64_t> shape,
                                    const std::shared_ptr<MemoryBudget>& budget,
                                    ir::VDeviceRef device) {
  if (!IsComputable(dtype) || !dtype.is_scalar() || dtype.is_handle()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a tensor cannot hold elements of dtype '", ToString(dtype), "'"));
  }
  if (shape.size() > static_cast<size_t>(kMaxRank)) {
    return absl::InvalidArgumentError(
        absl::StrCat(ShapeToString(shape), " is not the shape of a tensor"));
  }
  LATHE_ASSIGN_OR_RETURN(const uint64_t count, ElementsToHold(shape, *budget));
  LATHE_ASSIGN_OR_RETURN(std::shared_ptr<Storage> storage,
                         Storage::Allocate(ir::StorageBytes(dtype, count), budget));
  // Unused bits after the last packed element are equal in equal tensors.
  const uint64_t used = dtype.is_bool() ? 0 : dtype.bits * count % 8;
  if (used != 0) storage->data()[storage->size() - 1] &= static_cast<uint8_t>((1u << used) - 1);
  return std::make_shared<const Tensor>(
      Tensor{std::move(storage), 0, dtype, std::move(shape), device});
}

absl::StatusOr<TensorRef> CopyTensor(const Tensor& tensor,
                                     const std::shared_ptr<MemoryBudget>& budget,
                                     ir::VDeviceRef device) {
  LATHE_ASSIGN_OR_RETURN(TensorRef copy, NewTensor(tensor.dtype, tensor.shape, budget, device));
  std::memcpy(copy->data(), tensor.data(), tensor.bytes());
  return copy;
}

std::string ShapeToString(absl::Span<const int64_t> shape) {
  if (shape.size() == 1) return absl::StrCat("(", shape[0], ",)");
  return absl::StrCat("(", absl::StrJoin(shape, ", "), ")");
}

}  // namespace lathe::interp
