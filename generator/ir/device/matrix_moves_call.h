// Recognizes ldmatrix, stmatrix, and fills and stores of fragments.
#ifndef LATHE_IR_DEVICE_MATRIX_MOVES_CALL_H_
#define LATHE_IR_DEVICE_MATRIX_MOVES_CALL_H_

#include <optional>

#include "generator/ir/device/matrix_call.h"

namespace lathe::ir {

// ldmatrix: 1, 2 or 4 matrices of 8 rows of 16 bytes.
struct LoadMatrices {
  int count = 0;
  bool transposed = false;
  MemoryAddress row;  // in shared memory: the row whose address this thread supplies
  Fragment to;
};
// `dtype` is the declared result type of the call: the unit of its offsets.
std::optional<LoadMatrices> LoadMatricesOf(const Intrinsic& call, DType dtype);

// stmatrix: the inverse of ldmatrix.
struct StoreMatrices {
  int count = 0;
  bool transposed = false;
  MemoryAddress row;
  Fragment from;
};
std::optional<StoreMatrices> StoreMatricesOf(const Intrinsic& call);

// mma_fill: stores zeros to `count` elements.
struct FillFragment {
  int count = 0;
  MemoryAddress at;
};
std::optional<FillFragment> FillFragmentOf(const Intrinsic& call, DType dtype);

// mma_store: stores the 8 sums of a thread, of a 16 x 16 tile, to rows `stride` elements apart.
struct StoreFragment {
  MemoryAddress from;
  MemoryAddress to;
  PrimRef stride = nullptr;
};
std::optional<StoreFragment> StoreFragmentOf(const Intrinsic& call, DType dtype);

}  // namespace lathe::ir

#endif  // LATHE_IR_DEVICE_MATRIX_MOVES_CALL_H_
