#include "generator/schedule/vectors/share_constant.h"

#include <utility>

namespace lathe::schedule {

ir::TensorId ShareConstant(ir::Program& program, ir::Tensor tensor, ir::Constant constant) {
  for (int32_t i = 0; i < static_cast<int32_t>(program.tensors.size()); ++i) {
    const ir::TensorId id{i};
    const ir::Tensor& other = program.tensors[id];
    if (other.home != ir::Home::kConstant || other.name != tensor.name ||
        other.shape != tensor.shape || other.dtype != tensor.dtype) {
      continue;
    }
    if (*program.constants[other.constant].bytes == *constant.bytes) return id;
  }
  tensor.constant = program.constants.Add(std::move(constant));
  return program.tensors.Add(std::move(tensor));
}

}  // namespace lathe::schedule
