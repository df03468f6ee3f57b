// Which memory a statement reads and writes, and where: the pointers behind its buffers.
#ifndef LATHE_LOWER_CUDA_BUFFER_USES_H_
#define LATHE_LOWER_CUDA_BUFFER_USES_H_

#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/ir/tir.h"

namespace lathe::lower {

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
  absl::flat_hash_set<ir::PrimRef> written;  // memory that calls write, somewhere
  std::vector<ir::PrimRef> loops;            // the variables of its loops
  bool opaque = false;  // it does more than these uses say: calls, parts of buffers under a name

  bool Mentions(ir::PrimRef var) const { return vars.contains(var); }
  bool Stores(ir::PrimRef data) const;
};

// `lets` are what variables around the statement stand for.
BufferUses UsesOf(ir::Context& context, ir::StmtRef stmt, const analysis::ShapeVarMap& lets = {});

}  // namespace lathe::lower

#endif  // LATHE_LOWER_CUDA_BUFFER_USES_H_
