#include "generator/ir/program.h"

namespace lathe::ir {

uint64_t Tensor::elements() const {
  uint64_t count = 1;
  for (int64_t dim : shape) count *= static_cast<uint64_t>(dim);
  return count;
}

}  // namespace lathe::ir
