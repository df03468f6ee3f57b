// A kernel as fusion sees it: stages, each of which stores every element of one buffer once.
//
//   for i, j: acc = 0; for k: acc = acc + a[i, k] * b[k, j]
//             t = acc + bias[j]; out[i, j] = max(t, 0)
#ifndef LATHE_LOWER_NEST_H_
#define LATHE_LOWER_NEST_H_

#include <string>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::lower {

struct NestAxis {
  ir::PrimRef var = nullptr;  // counts from 0
  ir::PrimRef extent = nullptr;
};
struct NestLet {
  ir::PrimRef var = nullptr;
  ir::PrimRef value = nullptr;
};

struct NestStage {
  std::vector<NestAxis> spatial;  // outermost first
  std::vector<NestAxis> reduce;   // inside them; extents may mention the spatial axes
  // What comes together over the reduce axes, in a buffer of one element; null where there are
  // none.
  ir::BufferRef acc = nullptr;
  ir::PrimRef init = nullptr;
  std::vector<NestLet> fold_lets;
  ir::PrimRef update = nullptr;
  // What is stored, where.
  std::vector<NestLet> lets;
  ir::PrimRef value = nullptr;
  ir::BufferRef to = nullptr;
  std::vector<ir::PrimRef> at;
};

struct Nest {
  std::vector<ir::BufferRef> own;  // what it allocates
  std::vector<NestStage> stages;
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_NEST_H_
