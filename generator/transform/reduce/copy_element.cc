#include "generator/transform/reduce/copy_element.h"

#include <algorithm>

namespace lathe::transform {

void CopyElement(ir::DType dtype, const std::vector<uint8_t>& from, uint64_t i,
                 std::vector<uint8_t>& to, uint64_t k) {
  const uint64_t lanes = static_cast<uint64_t>(dtype.lanes > 0 ? dtype.lanes : 1);
  const uint64_t bits = (dtype.is_bool() ? 8 : dtype.bits) * lanes;
  if (bits % 8 == 0) {
    const auto first = from.begin() + static_cast<std::ptrdiff_t>(i * bits / 8);
    std::copy_n(first, bits / 8, to.begin() + static_cast<std::ptrdiff_t>(k * bits / 8));
    return;
  }
  for (uint64_t bit = 0; bit < bits; ++bit) {
    const uint64_t at = i * bits + bit, place = k * bits + bit;
    if ((from[at / 8] >> (at % 8) & 1) != 0) {
      to[place / 8] = static_cast<uint8_t>(to[place / 8] | 1u << (place % 8));
    }
  }
}

}  // namespace lathe::transform
