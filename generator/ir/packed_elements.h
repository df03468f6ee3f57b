// Tells which elements share bytes in memory: two of 4 bits share one byte, four of 6 bits share
// three.
#ifndef LATHE_IR_PACKED_ELEMENTS_H_
#define LATHE_IR_PACKED_ELEMENTS_H_

#include "generator/ir/dtype.h"

namespace lathe::ir {

// Returns whether elements of `t` are not whole addressable units; a bool takes a byte.
inline bool IsPacked(DType t) {
  if (!t.is_integer() && !t.is_floating()) return false;
  return t.bits != 8 && t.bits != 16 && t.bits != 32 && t.bits != 64;
}

// Returns the smallest number of elements that fill whole bytes.
inline int PackedGroup(DType t) {
  int group = 1;
  while (group * t.bits % 8 != 0) group *= 2;
  return group;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_PACKED_ELEMENTS_H_
