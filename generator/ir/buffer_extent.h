// Describes the memory that a buffer spans: its layout, and the number of its elements.
#ifndef LATHE_IR_BUFFER_EXTENT_H_
#define LATHE_IR_BUFFER_EXTENT_H_

#include <cstdint>
#include <optional>

#include "generator/ir/tir.h"

namespace lathe::ir {

// Returns whether the buffer is compact and its elements are scalars of whole bytes.
bool IsPlainMemory(const Buffer& buffer);

// Returns the number of elements or, with explicit strides, one more than the offset of the last
// one. Returns nothing if a size or a stride is not constant, or if the number overflows.
std::optional<int64_t> ExtentOf(const Buffer& buffer);

}  // namespace lathe::ir

#endif  // LATHE_IR_BUFFER_EXTENT_H_
