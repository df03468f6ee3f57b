// Copies elements of constants, also of those under a byte, which are packed.
#ifndef LATHE_TRANSFORM_REDUCE_COPY_ELEMENT_H_
#define LATHE_TRANSFORM_REDUCE_COPY_ELEMENT_H_

#include <cstdint>
#include <vector>

#include "generator/ir/dtype.h"

namespace lathe::transform {

// Copies element `i` of `from` to element `k` of `to`, whose bits are 0. Both have the elements.
void CopyElement(ir::DType dtype, const std::vector<uint8_t>& from, uint64_t i,
                 std::vector<uint8_t>& to, uint64_t k);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_REDUCE_COPY_ELEMENT_H_
