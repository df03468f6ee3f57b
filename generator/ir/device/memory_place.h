// Where in memory a call reads or writes: a pointer, and how far behind it.
#ifndef LATHE_IR_DEVICE_MEMORY_PLACE_H_
#define LATHE_IR_DEVICE_MEMORY_PLACE_H_

#include "generator/ir/prim_expr.h"

namespace lathe::ir {

struct MemoryPlace {
  PrimRef pointer = nullptr;
  PrimRef offset = nullptr;  // null: none; else in elements of `unit`
  DType unit;
};

// Whether an argument leads into memory: a pointer, or an element in place of its address.
inline bool IsPointer(PrimRef e) { return e->dtype().is_handle() || e->As<Load>() != nullptr; }

// The element that a pointer is the address of, or that stands in its place; null for others.
const Load* ElementBehind(PrimRef pointer);

// The variable of the memory that a pointer leads into: the data of a buffer; null where the
// program does not say.
PrimRef DataBehind(PrimRef pointer);

// Of elements of what dtype a pointer is; `unsaid` where the program does not say.
DType PointeeOf(PrimRef pointer, DType unsaid);

// The place `offset` elements behind `pointer`, which may be an element itself.
MemoryPlace PlaceBehind(PrimRef pointer, PrimRef offset, DType unsaid);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_MEMORY_PLACE_H_
