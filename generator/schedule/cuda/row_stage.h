// Parses loop nests that store one element of one buffer in each iteration: an elementwise value or
// a reduction over inner loops.
#ifndef LATHE_SCHEDULE_CUDA_ROW_STAGE_H_
#define LATHE_SCHEDULE_CUDA_ROW_STAGE_H_

#include <optional>
#include <vector>

#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/nest.h"

namespace lathe::schedule {

// A binding inside of the first `depth` axes.
struct PlacedLet {
  size_t depth = 0;
  ir::NestLet let;
};

struct RowStage {
  std::vector<ir::NestAxis> axes;    // outermost first
  std::vector<ir::NestAxis> reduce;  // inside of `axes`
  std::vector<PlacedLet> outer;      // before the reduction
  // The reduction over the reduce axes: `acc` starts with `init` and combines terms by `fold`.
  // Null: no reduction.
  ir::BufferRef acc = nullptr;
  ir::Fold fold = ir::Fold::kSum;
  ir::PrimRef init = nullptr;
  std::vector<ir::NestLet> fold_lets;
  ir::PrimRef term = nullptr;
  // For a search (parse_search.h): the position of the best term, and the memory for that term,
  // which no other statement may use.
  ir::BufferRef position = nullptr;
  ir::BufferRef best = nullptr;
  // The store.
  std::vector<ir::NestLet> lets;
  ir::PrimRef value = nullptr;
  ir::BufferRef to = nullptr;
  std::vector<ir::PrimRef> at;
  size_t statements = 1;  // of the kernel
};

// Parses `stmt`. Returns nullopt for other statements, for reductions that do not start with a
// constant, or that are not known to be associative and commutative: sums, products, max, min, any
// and all are.
std::optional<RowStage> ParseRowStage(ir::Context& context, ir::StmtRef stmt);

// Substitutes bindings into the indices of loads and stores, so that they are in terms of the axes,
// and removes unused bindings.
void ExpandPlaces(ir::Context& context, RowStage& stage);

// Returns the accumulator dtype: small floats are accumulated in float32 and rounded once.
ir::DType WideEnough(ir::DType dtype);

// Returns the initial value of each thread's partial reduction: `init`, or the neutral element if
// `init` would count once for each thread.
ir::PrimRef StartOf(ir::Context& context, const RowStage& stage, ir::DType dtype);
// Returns whether each thread may start with `init`: it is the neutral element, or the operator is
// idempotent.
bool StartsNeutral(const RowStage& stage);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_ROW_STAGE_H_
