// Collects the memory that a statement reads and writes, with indices, by the data pointers of its
// buffers.
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
  std::vector<ir::PrimRef>
      indices;  // over loop variables and parameters; block axes and lets are substituted
  bool stores = false;
};

struct BufferUses {
  std::vector<BufferUse> uses;  // in program order
  // Memory that the statement allocates, separately for each execution.
  absl::flat_hash_set<ir::PrimRef> own;
  absl::flat_hash_set<ir::PrimRef>
      vars;                        // all variables used, and the data pointers of the buffers
  std::vector<ir::PrimRef> loops;  // the variables of its loops
  // Memory that is accessed at unknown indices: by callees or through aliases.
  absl::flat_hash_set<ir::PrimRef> read_anywhere, written_anywhere;
  // Index variables, each with its extent, for the elements that callees access from a pointer on.
  // These are in `loops` too.
  std::vector<std::pair<ir::PrimRef, int64_t>> spans;
  bool calls = false;   // calls with effects other than a return value
  bool opaque = false;  // it has accesses that are not described here: aliases of slices of memory

  // Returns whether the statement uses `var`.
  bool Mentions(ir::PrimRef var) const { return vars.contains(var); }
  // Returns whether the statement may write to the memory of `data`.
  bool Stores(ir::PrimRef data) const;
};

// Returns the accesses of `stmt`. `lets` are the values of variables defined around the statement.
// Functions that are not in `callees` may write to all memory passed to them.
BufferUses UsesOf(ir::Context& context, ir::StmtRef stmt, const analysis::ShapeVarMap& lets = {},
                  const CalleeUses& callees = {});

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_BUFFER_USES_H_
