// Implements operators on whole tensors that need no loop nest: views, and shapes as tensors.
#ifndef LATHE_INTERP_DATA_TENSOR_OPS_H_
#define LATHE_INTERP_DATA_TENSOR_OPS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/interp/data/tensor.h"

namespace lathe::interp {

// Views the memory of `tensor` from `byte_offset` on with another shape and dtype. Fails when the
// view exceeds the tensor.
absl::StatusOr<TensorRef> ViewTensor(const Tensor& tensor, std::vector<int64_t> shape,
                                     ir::DType dtype, uint64_t byte_offset);

// Returns the elements of an integer tensor of one dimension. Fails for other tensors and for more
// than kMaxRank elements.
absl::StatusOr<std::vector<int64_t>> ShapeFromTensor(const Tensor& tensor);

// Returns `dims` as a tensor of int64.
absl::StatusOr<TensorRef> TensorFromShape(const std::vector<int64_t>& dims,
                                          const std::shared_ptr<MemoryBudget>& budget);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_DATA_TENSOR_OPS_H_
