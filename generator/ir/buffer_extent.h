// How much memory a buffer reaches over.
#ifndef LATHE_IR_BUFFER_EXTENT_H_
#define LATHE_IR_BUFFER_EXTENT_H_

#include <cstdint>
#include <optional>

#include "generator/ir/tir.h"

namespace lathe::ir {

// In elements, where it is a number: those it has or, with strides of its own, up to its last one.
std::optional<int64_t> ExtentOf(const Buffer& buffer);

}  // namespace lathe::ir

#endif  // LATHE_IR_BUFFER_EXTENT_H_
