// Which elements share bytes in memory: of 4 bits two lie in one, of 6 bits four in three.
#ifndef LATHE_IR_PACKED_ELEMENTS_H_
#define LATHE_IR_PACKED_ELEMENTS_H_

#include "generator/ir/dtype.h"

namespace lathe::ir {

// Numbers of a width that memory does not address; a bool takes a byte.
inline bool IsPacked(DType t) {
  if (!t.is_integer() && !t.is_floating()) return false;
  return t.bits != 8 && t.bits != 16 && t.bits != 32 && t.bits != 64;
}

// How many of them fill whole bytes.
inline int PackedGroup(DType t) {
  int group = 1;
  while (group * t.bits % 8 != 0) group *= 2;
  return group;
}

}  // namespace lathe::ir

#endif  // LATHE_IR_PACKED_ELEMENTS_H_
