// Parts of small matrices on their way: ldmatrix, stmatrix, and what a thread does alone with its
// part.
#ifndef LATHE_IR_DEVICE_MATRIX_MOVES_CALL_H_
#define LATHE_IR_DEVICE_MATRIX_MOVES_CALL_H_

#include <optional>

#include "generator/ir/device/matrix_call.h"

namespace lathe::ir {

// ldmatrix: 1, 2 or 4 matrices of 8 rows of 16 bytes.
struct LoadMatrices {
  int count = 0;
  bool transposed = false;
  MemoryPlace row;  // of shared memory: which row this thread says the address of
  Fragment to;
};
// `dtype` is what the call says that it gives: the elements that offsets count.
std::optional<LoadMatrices> LoadMatricesOf(const Intrinsic& call, DType dtype);

// stmatrix: the same the other way round.
struct StoreMatrices {
  int count = 0;
  bool transposed = false;
  MemoryPlace row;
  Fragment from;
};
std::optional<StoreMatrices> StoreMatricesOf(const Intrinsic& call);

// mma_fill: zeros in `count` elements.
struct FillFragment {
  int count = 0;
  MemoryPlace at;
};
std::optional<FillFragment> FillFragmentOf(const Intrinsic& call, DType dtype);

// mma_store: the 8 sums that a thread has of 16 x 16, to rows `stride` elements apart.
struct StoreFragment {
  MemoryPlace from;
  MemoryPlace to;
  PrimRef stride = nullptr;
};
std::optional<StoreFragment> StoreFragmentOf(const Intrinsic& call, DType dtype);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_MATRIX_MOVES_CALL_H_
