// Copies from the memory of a GPU into shared memory that go on while the thread does (cp.async),
// in whatever dialect they are written.
#ifndef LATHE_IR_DEVICE_ASYNC_COPY_CALL_H_
#define LATHE_IR_DEVICE_ASYNC_COPY_CALL_H_

#include <optional>

#include "generator/ir/device/memory_place.h"

namespace lathe::ir {

struct AsyncCopy {
  MemoryPlace to;
  MemoryPlace from;
  int bytes = 0;                // 4, 8 or 16
  PrimRef condition = nullptr;  // null: none; where it is false, zeros come
};
// `dtype` is what the call says that it gives: the elements that offsets count.
std::optional<AsyncCopy> AsyncCopyOf(const Intrinsic& call, DType dtype);

// The copies that this thread has begun become a group.
bool CommitsCopies(const Intrinsic& call);

// The thread waits for its groups but the last so many; nothing where the call is no such.
std::optional<int> CopiesLeft(const Intrinsic& call);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_ASYNC_COPY_CALL_H_
