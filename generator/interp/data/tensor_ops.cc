#include "generator/interp/data/tensor_ops.h"

#include "absl/strings/str_cat.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::interp {

absl::StatusOr<TensorRef> ViewTensor(const Tensor& tensor, std::vector<int64_t> shape,
                                     ir::DType dtype, uint64_t byte_offset) {
  const std::optional<uint64_t> count = CountElements(shape);
  if (!count || !IsComputable(dtype) || !dtype.is_scalar()) {
    return absl::InvalidArgumentError(
        absl::StrCat(ShapeToString(shape), " of ", ToString(dtype), " is not a valid tensor type"));
  }
  const uint64_t bytes = ir::StorageBytes(dtype, *count);
  if (byte_offset > tensor.bytes() || bytes > tensor.bytes() - byte_offset) {
    return absl::InvalidArgumentError(absl::StrCat("a view of ", bytes, " bytes from byte ",
                                                   byte_offset, " does not fit in a tensor of ",
                                                   tensor.bytes(), " bytes"));
  }
  return std::make_shared<const Tensor>(Tensor{tensor.storage, tensor.byte_offset + byte_offset,
                                               dtype, std::move(shape), tensor.device});
}

absl::StatusOr<std::vector<int64_t>> ShapeFromTensor(const Tensor& tensor) {
  if (tensor.ndim() != 1 || tensor.dtype.is_floating() || tensor.shape[0] > kMaxRank) {
    return absl::InvalidArgumentError(
        absl::StrCat("a shape must be an integer tensor with one dimension and at most ",
                     CountOf(kMaxRank, "element"), ", got shape ", ShapeToString(tensor.shape),
                     " and dtype ", ToString(tensor.dtype)));
  }
  std::vector<int64_t> dims;
  for (uint64_t n = 0; n < tensor.num_elements(); ++n) dims.push_back(tensor.At(n).AsInt());
  return dims;
}

absl::StatusOr<TensorRef> TensorFromShape(const std::vector<int64_t>& dims,
                                          const std::shared_ptr<MemoryBudget>& budget) {
  LATHE_ASSIGN_OR_RETURN(
      TensorRef tensor, NewTensor(ir::DType::Int(64), {static_cast<int64_t>(dims.size())}, budget));
  for (size_t n = 0; n < dims.size(); ++n) tensor->Set(n, static_cast<Bits>(dims[n]));
  return tensor;
}

}  // namespace lathe::interp
