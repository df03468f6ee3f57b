#include "generator/interp/data/constant_elements.h"

#include "generator/interp/data/tensor.h"

namespace lathe::interp {

std::optional<std::vector<int64_t>> IntsOfConstant(const ir::Constant& constant) {
  if (!constant.dtype.is_integer() && !constant.dtype.is_bool()) return std::nullopt;
  std::vector<int64_t> values(CountElements(constant.shape).value_or(0));
  for (size_t k = 0; k < values.size(); ++k) {
    values[k] = ToInt64(constant.dtype, ReadElement(constant.bytes->data(), constant.dtype, k));
  }
  return values;
}

std::vector<double> NumbersOfConstant(const ir::Constant& constant) {
  std::vector<double> values(CountElements(constant.shape).value_or(0));
  for (size_t k = 0; k < values.size(); ++k) {
    values[k] = ToDouble(constant.dtype, ReadElement(constant.bytes->data(), constant.dtype, k));
  }
  return values;
}

}  // namespace lathe::interp
