// Tensors: a shape and a dtype over memory that may be shared, so that writes through one are seen
// through all. Elements are row-major, compact, little-endian; those under a byte are packed, the
// first in the low bits; a bool takes a byte.
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

// A piece of memory. Fresh memory is full of one byte, so that what a program forgot to write
// shows, and shows the same each time.
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
// checked that it is there.
Bits ReadElement(const uint8_t* data, ir::DType t, uint64_t index);
void WriteElement(uint8_t* data, ir::DType t, uint64_t index, Bits value);

struct Tensor {
  std::shared_ptr<Storage> storage;
  uint64_t byte_offset = 0;
  ir::DType dtype;
  std::vector<int64_t> shape;
  ir::VDeviceRef device = nullptr;  // null: the one device there is

  int ndim() const { return static_cast<int>(shape.size()); }
  uint64_t num_elements() const;
  uint64_t bytes() const { return ir::StorageBytes(dtype, num_elements()); }
  uint8_t* data() const { return storage->data() + byte_offset; }

  // The element at row-major position `index` < num_elements().
  Scalar At(uint64_t index) const { return {dtype, ReadElement(data(), dtype, index)}; }
  void Set(uint64_t index, Bits value) const { WriteElement(data(), dtype, index, value); }
};
using TensorRef = std::shared_ptr<const Tensor>;

// Elements of `shape`; nothing when a dimension is negative or the product is beyond 2^48.
std::optional<uint64_t> CountElements(absl::Span<const int64_t> shape);

// The same, and why there is no such number: what is no shape is wrong, what is more than any
// memory holds passes the limit.
absl::StatusOr<uint64_t> ElementsToHold(absl::Span<const int64_t> shape,
                                        const MemoryBudget& budget);

// A tensor in memory of its own. Fails when the shape is not one, the dtype has no elements, or the
// budget does not allow it.
absl::StatusOr<TensorRef> NewTensor(ir::DType dtype, std::vector<int64_t> shape,
                                    const std::shared_ptr<MemoryBudget>& budget,
                                    ir::VDeviceRef device = nullptr);

// The same elements in memory of its own, on `device`.
absl::StatusOr<TensorRef> CopyTensor(const Tensor& tensor,
                                     const std::shared_ptr<MemoryBudget>& budget,
                                     ir::VDeviceRef device);

// "(2, 3)", "(4,)", "()"
std::string ShapeToString(absl::Span<const int64_t> shape);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_TENSOR_H_
