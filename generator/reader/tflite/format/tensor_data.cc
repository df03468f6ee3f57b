#include "generator/reader/tflite/format/tensor_data.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/reader/tflite/format/sparse_data.h"
#include "generator/reader/tflite/format/tensor_types.h"
#include "generator/support/status.h"

namespace lathe::tflite {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr int kByte = 8;

uint64_t CountOf(const Tensor& tensor) {
  uint64_t count = 1;
  for (const int64_t size : tensor.shape) count *= static_cast<uint64_t>(size);
  return count;
}

// Elements of 2 or 4 bits, the first in the low bits of a byte, as bytes.
Bytes Unpacked(absl::string_view packed, uint64_t count, int bits, bool is_signed) {
  Bytes elements(count);
  const uint64_t each = static_cast<uint64_t>(kByte / bits);
  const unsigned mask = (1U << bits) - 1, sign = 1U << (bits - 1);
  for (uint64_t i = 0; i < count; ++i) {
    const unsigned byte = static_cast<uint8_t>(packed[i / each]);
    unsigned value = (byte >> (i % each * static_cast<uint64_t>(bits))) & mask;
    if (is_signed && (value & sign) != 0) value |= ~mask;
    elements[i] = static_cast<uint8_t>(value);
  }
  return elements;
}

}  // namespace

bool IsConstant(const Model& model, const Tensor& tensor) {
  return !model.DataOf(tensor).empty() && !tensor.is_variable;
}

absl::StatusOr<ir::Constant> ReadTensor(const Model& model, const Tensor& tensor) {
  const std::optional<ir::DType> dtype = DTypeOf(tensor.type);
  if (!dtype) {
    return absl::UnimplementedError(
        absl::StrCat("has constant data of type ", TypeName(tensor.type)));
  }
  const absl::string_view data = model.DataOf(tensor);
  const int bits = BitsInFile(tensor.type);
  const uint64_t count = CountOf(tensor);
  Bytes bytes;
  if (tensor.sparsity) {
    LATHE_ASSIGN_OR_RETURN(bytes, DenseData(tensor, data, bits / kByte));
  } else {
    const uint64_t needed = (count * static_cast<uint64_t>(bits) + kByte - 1) / kByte;
    if (data.size() != needed) {
      return absl::InvalidArgumentError(
          absl::StrCat("needs ", needed, " bytes of data and has ", data.size()));
    }
    bytes = bits < kByte ? Unpacked(data, count, bits, dtype->is_int())
                         : Bytes(data.begin(), data.end());
  }
  return ir::Constant{*dtype, tensor.shape, std::make_shared<const Bytes>(std::move(bytes))};
}

}  // namespace lathe::tflite
