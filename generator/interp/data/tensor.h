// Defines tensors: a shape and a dtype over memory that several tensors may share. Elements are
// row-major, compact and little-endian. Elements under a byte are packed, the first in the low
// bits; a bool takes a byte.
#ifndef LATHE_INTERP_DATA_TENSOR_H_
#define LATHE_INTERP_DATA_TENSOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/interp/data/memory_budget.h"
#include "generator/interp/data/scalar.h"
#include "generator/ir/dtype.h"
#include "generator/ir/struct_info.h"

namespace lathe::interp {

// A block of memory. New memory is filled with one byte value, so that reads of unwritten elements
// are visible and deterministic.
class Storage {
 public:
  static absl::StatusOr<std::shared_ptr<Storage>> Allocate(
      uint64_t size, const std::shared_ptr<MemoryBudget>& budget);

  uint8_t* data() { return data_.get(); }
  uint64_t size() const { return size_; }

 private:
  struct FreeMemory {
    void operator()(uint8_t* p) const;
  };
  Storage() = default;

  std::unique_ptr<uint8_t, FreeMemory> data_;
  uint64_t size_ = 0;
  BudgetShare share_;
};

// Reads and writes the element `index` of dtype `t` in memory that starts at `data`. The caller has
// checked the bounds.
Bits ReadElement(const uint8_t* data, ir::DType t, uint64_t index);
void WriteElement(uint8_t* data, ir::DType t, uint64_t index, Bits value);

struct Tensor {
  std::shared_ptr<Storage> storage;
  uint64_t byte_offset = 0;
  ir::DType dtype;
  std::vector<int64_t> shape;
  ir::VDeviceRef device = nullptr;  // null: the only device

  int ndim() const { return static_cast<int>(shape.size()); }
  uint64_t num_elements() const;
  uint64_t bytes() const { return ir::StorageBytes(dtype, num_elements()); }
  uint8_t* data() const { return storage->data() + byte_offset; }

  // Returns the element at row-major position `index` < num_elements().
  Scalar At(uint64_t index) const { return {dtype, ReadElement(data(), dtype, index)}; }
  void Set(uint64_t index, Bits value) const { WriteElement(data(), dtype, index, value); }
};
using TensorRef = std::shared_ptr<const Tensor>;

// Returns the number of elements of `shape`; nullopt when a dimension is negative or the product
// exceeds 2^48.
std::optional<uint64_t> CountElements(absl::Span<const int64_t> shape);

// The same with an error: a negative dimension is an invalid shape; a larger product exceeds the
// memory limit.
absl::StatusOr<uint64_t> ElementsToHold(absl::Span<const int64_t> shape,
                                        const MemoryBudget& budget);

// Allocates a tensor. Fails when the shape is invalid or has more than kMaxRank dimensions, no
// tensor can have the dtype (void, handle), or the budget is exceeded.
absl::StatusOr<TensorRef> NewTensor(ir::DType dtype, std::vector<int64_t> shape,
                                    const std::shared_ptr<MemoryBudget>& budget,
                                    ir::VDeviceRef device = nullptr);

// Copies `tensor` to new memory on `device`.
absl::StatusOr<TensorRef> CopyTensor(const Tensor& tensor,
                                     const std::shared_ptr<MemoryBudget>& budget,
                                     ir::VDeviceRef device);

// "(2, 3)", "(4,)", "()"
std::string ShapeToString(absl::Span<const int64_t> shape);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_TENSOR_H_
