// Sign-extends fields of instructions.
#ifndef LATHE_MACHINE_SIGN_EXTEND_H_
#define LATHE_MACHINE_SIGN_EXTEND_H_

#include <cstdint>

namespace lathe::machine {

// Returns the lowest `bits` bits of `value` as a number in two's complement.
inline int64_t SignExtend(uint64_t value, int bits) {
  const uint64_t sign = uint64_t{1} << (bits - 1);
  return static_cast<int64_t>((value & ((sign << 1) - 1)) ^ sign) - static_cast<int64_t>(sign);
}

}  // namespace lathe::machine

#endif  // LATHE_MACHINE_SIGN_EXTEND_H_
