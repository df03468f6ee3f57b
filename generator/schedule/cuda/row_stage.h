// Loop nests that store every element of one buffer once, each a value of its own or one that comes
// together over inner loops.
#ifndef LATHE_SCHEDULE_CUDA_ROW_STAGE_H_
#define LATHE_SCHEDULE_CUDA_ROW_STAGE_H_

#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/nest.h"

namespace lathe::schedule {

// A binding, inside so many of the axes.
struct PlacedLet {
  size_t depth = 0;
  ir::NestLet let;
};

struct RowStage {
  std::vector<ir::NestAxis> axes;    // outermost first
  std::vector<ir::NestAxis> reduce;  // inside them
  std::vector<PlacedLet> outer;      // before what comes together
  // What comes together over the reduce axes: terms, from `init` on, in `acc`; null where there is
  // nothing to come together.
  ir::BufferRef acc = nullptr;
  ir::Fold fold = ir::Fold::kSum;
  ir::PrimRef init = nullptr;
  std::vector<ir::NestLet> fold_lets;
  ir::PrimRef term = nullptr;
  // Of a search (parse_search.h): which of the terms it was, and memory that nobody else may read.
  ir::BufferRef position = nullptr;
  ir::BufferRef best = nullptr;
  // What is stored, where.
  std::vector<ir::NestLet> lets;
  ir::PrimRef value = nullptr;
  ir::BufferRef to = nullptr;
  std::vector<ir::PrimRef> at;
  size_t statements = 1;  // of the kernel
};

// Nothing where the statement is not of this form, or values come together in no way that is known
// to be the same in any order: sums, products, the largest, the smallest, any, all.
std::optional<RowStage> ParseRowStage(ir::Context& context, ir::StmtRef stmt);

// What it reads and stores, where, said by its axes alone: bindings that such a place names are put
// into it, and those that nobody needs then are left out.
void ExpandPlaces(ir::Context& context, RowStage& stage);

// What it comes together in: small floats in float, so that they are rounded once.
ir::DType WideEnough(ir::DType dtype);

// What each thread starts from, where many come together: `init`, or, where it would count once for
// each of them, what changes nothing.
ir::PrimRef StartOf(ir::Context& context, const RowStage& stage, ir::DType dtype);
bool StartsNeutral(const RowStage& stage);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_ROW_STAGE_H_
