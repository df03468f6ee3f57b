// Resolves the memory operands of calls: a pointer and an offset.
#ifndef LATHE_IR_DEVICE_MEMORY_ADDRESS_H_
#define LATHE_IR_DEVICE_MEMORY_ADDRESS_H_

#include "generator/ir/prim_expr.h"

namespace lathe::ir {

struct MemoryAddress {
  PrimRef pointer = nullptr;
  PrimRef offset = nullptr;  // null: zero; else in elements of `unit`
  DType unit;
};

// Returns whether an argument is a pointer, or an element in place of its address.
inline bool IsPointer(PrimRef e) { return e->dtype().is_handle() || e->As<Load>() != nullptr; }

// Returns the element whose address `pointer` is, or that is used in place of it; null for others.
const Load* PointedElement(PrimRef pointer);

// Returns the data variable of the buffer that `pointer` refers to; null if unknown.
PrimRef PointedData(PrimRef pointer);

// Returns the pointee dtype, or `unsaid` if it is unknown.
DType PointeeOf(PrimRef pointer, DType unsaid);

// Returns the address `offset` elements after `pointer`, which may be an element itself. The unit
// of the offset is the pointee dtype, or `unsaid` if that is unknown.
MemoryAddress AddressAtOffset(PrimRef pointer, PrimRef offset, DType unsaid);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_MEMORY_ADDRESS_H_
