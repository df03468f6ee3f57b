// Which memory a statement reads and writes, and where: the pointers behind its buffers.
#ifndef LATHE_SCHEDULE_CUDA_BUFFER_USES_H_
#define LATHE_SCHEDULE_CUDA_BUFFER_USES_H_

#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"
#include "generator/schedule/cuda/callee_uses.h"

namespace lathe::schedule {

struct BufferUse {
  ir::BufferRef buffer = nullptr;
  std::vector<ir::PrimRef> indices;  // over loop variables and parameters: axes and lets put in
  bool stores = false;
};

struct BufferUses {
  std::vector<BufferUse> uses;  // in the order of the text
  // Memory that the statement allocates: each execution has its own.
  absl::flat_hash_set<ir::PrimRef> own;
  absl::flat_hash_set<ir::PrimRef> vars;  // all that it mentions, and the pointers of its buffers
  std::vector<ir::PrimRef> loops;         // the variables of its loops
  // Memory that functions are given, or that has other names: where in it is not known.
  absl::flat_hash_set<ir::PrimRef> read_anywhere, written_anywhere;
  // Variables of indices that functions choose, each below the number: among the loops too.
  std::vector<std::pair<ir::PrimRef, int64_t>> spans;
  bool calls = false;   // functions that do more than give a number
  bool opaque = false;  // it does more than all this says: parts of memory under other names

  bool Mentions(ir::PrimRef var) const { return vars.contains(var); }
  bool Stores(ir::PrimRef data) const;
};

// `lets` are what variables around the statement stand for. Functions that are not among `callees`
// may write to all that they are given.
BufferUses UsesOf(ir::Context& context, ir::StmtRef stmt, const analysis::ShapeVarMap& lets = {},
                  const CalleeUses& callees = {});

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_BUFFER_USES_H_
