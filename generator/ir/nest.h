// A kernel as stages, each of which stores every element of one buffer once: as fusion sees it, and
// the library of kernels.
//
//   for i, j: acc = 0; for k: acc = acc + a[i, k] * b[k, j]
//             t = acc + bias[j]; out[i, j] = max(t, 0)
#ifndef LATHE_IR_NEST_H_
#define LATHE_IR_NEST_H_

#include <cstddef>
#include <vector>

#include "generator/ir/tir.h"

namespace lathe::ir {

struct NestAxis {
  PrimRef var = nullptr;  // counts from 0
  PrimRef extent = nullptr;
};
struct NestLet {
  PrimRef var = nullptr;
  PrimRef value = nullptr;
};

struct NestStage {
  std::vector<NestAxis> spatial;  // outermost first
  std::vector<NestAxis> reduce;   // inside them; extents may mention the spatial axes
  // What comes together over the reduce axes, in a buffer of one element; null where there are
  // none.
  BufferRef acc = nullptr;
  PrimRef init = nullptr;
  std::vector<NestLet> fold_lets;
  PrimRef update = nullptr;
  // What is stored, where. No buffer: later stages of its row read `acc` and `lets`.
  std::vector<NestLet> lets;
  PrimRef value = nullptr;
  BufferRef to = nullptr;
  std::vector<PrimRef> at;
};

// Stages, from `first` to before `end`, inside loops that they share: in each turn one runs after
// the other. Their own axes are what is left.
struct NestRows {
  size_t first = 0;
  size_t end = 0;
  std::vector<NestAxis> axes;
};

struct Nest {
  std::vector<BufferRef> own;  // what it allocates
  std::vector<NestStage> stages;
  std::vector<NestRows> rows;  // in the order of their stages
};

}  // namespace lathe::ir

#endif  // LATHE_IR_NEST_H_
