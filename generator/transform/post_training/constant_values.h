// Converts constants of a module to vectors of their values, and vectors to float32 and integer
// constants.
#ifndef LATHE_TRANSFORM_POST_TRAINING_CONSTANT_VALUES_H_
#define LATHE_TRANSFORM_POST_TRAINING_CONSTANT_VALUES_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "generator/interp/data/tensor.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// FloatsOf returns the elements of a constant or tensor, which must be float32.
inline std::vector<float> FloatsOf(const ir::Constant& constant) {
  std::vector<float> out(constant.bytes->size() / sizeof(float));
  if (!out.empty()) std::memcpy(out.data(), constant.bytes->data(), out.size() * sizeof(float));
  return out;
}

inline std::vector<float> FloatsOf(const interp::Tensor& tensor) {
  std::vector<float> out(tensor.num_elements());
  if (!out.empty()) std::memcpy(out.data(), tensor.data(), out.size() * sizeof(float));
  return out;
}

inline ir::Constant FloatConstant(std::vector<int64_t> shape, const std::vector<float>& values) {
  auto bytes = std::make_shared<std::vector<uint8_t>>(values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(bytes->data(), values.data(), bytes->size());
  return {ir::DType::Float(32), std::move(shape), std::move(bytes)};
}

// `values` must be in the range of `dtype`, an integer.
inline ir::Constant IntegerConstant(ir::DType dtype, std::vector<int64_t> shape,
                                    const std::vector<int64_t>& values) {
  auto bytes = std::make_shared<std::vector<uint8_t>>(ir::StorageBytes(dtype, values.size()));
  for (size_t i = 0; i < values.size(); ++i) {
    interp::WriteElement(bytes->data(), dtype, i, static_cast<interp::Bits>(values[i]));
  }
  return {dtype, std::move(shape), std::move(bytes)};
}

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_CONSTANT_VALUES_H_
