// How the stages of a kernel are run on a machine with vectors, where the library of kernels knows
// better than its loops as they stand.
#ifndef LATHE_IR_KERNEL_FORM_H_
#define LATHE_IR_KERNEL_FORM_H_

#include <cstdint>
#include <variant>
#include <vector>

#include "generator/ir/nest.h"

namespace lathe::ir {

// A sum of products, of one factor that lies along rows and one that lies along columns, in tiles
// whose sums stay in registers:
//
//   for each panel of columns, each of the outer axes, each block of rows:
//     sums[r][c] = 0
//     for k: sums[r][c] += by_row[row + r, k] * panel[k][c]
//     out[row + r, column + c] = what the stage makes of sums[r][c]
//
// A panel has the columns of all k side by side, zeros behind the last column.
struct TiledSum {
  NestStage stage;  // its axes as below: spatial ones that are one are joined
  std::vector<NestAxis> outer;
  NestAxis row;
  NestAxis column;  // a number of columns
  // by_row, where the row and all k are 0, and how far on the next ones are.
  BufferRef by_row = nullptr;
  PrimRef row_start = nullptr;  // elements from its first
  PrimRef row_stride = nullptr;
  std::vector<PrimRef>
      k_strides;  // one for each reduce axis of the stage, whose extents are numbers
  BufferRef panels = nullptr;
  // Where the panels are no constants: the factor they are made of, which is as above; `panels`
  // then has room for one of them. `batch` are axes that both factors differ with.
  BufferRef by_column = nullptr;
  PrimRef column_start = nullptr;
  PrimRef column_stride = nullptr;
  std::vector<PrimRef> column_k_strides;
  std::vector<NestAxis> batch;
  int64_t depth = 0;  // how many k there are
  int rows = 0;       // of a tile, at most
  int vectors = 0;    // of a tile: a panel has this many of `lanes` columns
  // How many steps of the innermost reduce axis are taken at once: all, or so many that the panel
  // stays in the cache; what is not complete waits where the result is stored.
  int64_t block = 0;
  // Whether results are made and stored as vectors; else one by one, from a copy of the tile.
  bool stores_vectors = true;
};

// A tensor with zeros around it: to[i] = from[i - before] where that is there.
struct PaddedCopy {
  NestStage stage;
  BufferRef from = nullptr;
  BufferRef to = nullptr;
  std::vector<int64_t> before;  // of each dimension
};

// As many neighbouring elements at once as a vector has: of the result, or of what is added up,
// where each lane then adds up its own.
struct VectorLoops {
  NestStage stage;
  NestAxis axis;                   // along which they lie
  bool folds = false;              // the axis is one that the stage reduces; its own are the others
  BinaryOp fold = BinaryOp::kAdd;  // how they come together then, and
  PrimRef term = nullptr;          // what does
};

// A stage alone: its loops as they stand.
using StageForm = std::variant<NestStage, TiledSum, PaddedCopy, VectorLoops>;

struct KernelForm {
  std::vector<BufferRef> own;  // what it allocates
  std::vector<StageForm> stages;
  std::vector<NestRows> rows;  // in the order of their stages
  int lanes = 0;               // floats in a vector
};

}  // namespace lathe::ir

#endif  // LATHE_IR_KERNEL_FORM_H_
