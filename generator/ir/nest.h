// Represents a kernel as stages, each of which stores every element of one buffer once. Fusion and
// the kernel library work on this form.
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
  PrimRef var = nullptr;  // starts at 0
  PrimRef extent = nullptr;
};
struct NestLet {
  PrimRef var = nullptr;
  PrimRef value = nullptr;
};

struct NestStage {
  std::vector<NestAxis> spatial;  // outermost first
  std::vector<NestAxis> reduce;   // innermost; extents may depend on the spatial axes
  // The accumulator over the reduce axes, a buffer of one element; null without reduce axes.
  BufferRef acc = nullptr;
  PrimRef init = nullptr;
  std::vector<NestLet> fold_lets;
  PrimRef update = nullptr;
  // The stored value and its index. If `to` is null, later stages of its row read `acc` and `lets`.
  std::vector<NestLet> lets;
  PrimRef value = nullptr;
  BufferRef to = nullptr;
  std::vector<PrimRef> at;
};

// The stages [first, end) inside shared loops: each iteration executes them in order. The axes of a
// stage are the remaining loops.
struct NestRows {
  size_t first = 0;
  size_t end = 0;
  std::vector<NestAxis> axes;
};

struct Nest {
  std::vector<BufferRef> own;  // local buffers
  std::vector<NestStage> stages;
  std::vector<NestRows> rows;  // in the order of their stages
};

}  // namespace lathe::ir

#endif  // LATHE_IR_NEST_H_
