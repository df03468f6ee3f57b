// Recognizes asynchronous copies from global to shared memory (cp.async) in all dialects.
#ifndef LATHE_IR_DEVICE_ASYNC_COPY_CALL_H_
#define LATHE_IR_DEVICE_ASYNC_COPY_CALL_H_

#include <optional>

#include "generator/ir/device/memory_address.h"

namespace lathe::ir {

struct AsyncCopy {
  MemoryAddress to;
  MemoryAddress from;
  int bytes = 0;                // 4, 8 or 16
  PrimRef condition = nullptr;  // null: none; if false, zeros are stored
};
// `dtype` is the declared result type of the call: the unit of its offsets.
std::optional<AsyncCopy> AsyncCopyOf(const Intrinsic& call, DType dtype);

// Returns whether the call commits the pending copies of this thread as a group.
bool CommitsCopies(const Intrinsic& call);

// If the call waits for copy groups, the number of latest groups that may stay pending.
std::optional<int> CopiesLeft(const Intrinsic& call);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_ASYNC_COPY_CALL_H_
