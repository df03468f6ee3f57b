// Rewrites several nests of a kernel in terms of the axes of the first one, with intermediate
// values inlined.
//
//   for i, j: s[i, j] = sum of q[i, k] * w[j, k]
//   for a, b: t[a, b] = s[a, b] * 2              at [i, j]: 2 * the sum
//   for a: m[a] = the largest of t[a, b]         at [i]: the largest over j of 2 * the sum
#ifndef LATHE_SCHEDULE_CUDA_SHARED_AXES_H_
#define LATHE_SCHEDULE_CUDA_SHARED_AXES_H_

#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/context.h"
#include "generator/schedule/cuda/row_stage.h"

namespace lathe::schedule {

// Rewrites the stages of a kernel in their order: for each stage, Rewrite() and then Record().
class SharedAxes {
 public:
  // `lets` are the values of variables defined around the nests.
  SharedAxes(ir::Context& context, const analysis::ShapeVarMap& lets) : ir_(context), lets_(lets) {}

  // Returns `stage` in terms of the axes of the first stage: its bindings are substituted, and its
  // loads of recorded buffers are replaced by their values. Returns nullopt if it loads a recorded
  // buffer at other indices than those of its store, or only part of it.
  std::optional<RowStage> Rewrite(RowStage stage);

  // Records the value of an element of the buffer that `stage` stores: the stored value, or with
  // `keeps_loads`, a load of the buffer. Returns false if the buffer has been recorded, or unless
  // the stage stores exactly one element for each point of its axes.
  bool Record(const RowStage& stage, bool keeps_loads);

  // Returns the value of an element of each recorded buffer.
  const absl::flat_hash_map<ir::BufferRef, ir::PrimRef>& values() const { return values_; }

 private:
  bool Rename(ir::PrimRef e, const RowStage& stage,
              absl::flat_hash_map<ir::PrimRef, ir::PrimRef>& names,
              absl::flat_hash_set<ir::PrimRef>& seen) const;
  ir::PrimRef Inlined(ir::PrimRef e) const;

  ir::Context& ir_;
  const analysis::ShapeVarMap& lets_;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> extents_;                // of the first nest's axes
  absl::flat_hash_map<ir::BufferRef, std::vector<ir::PrimRef>> places_;  // the indices of the store
  absl::flat_hash_map<ir::BufferRef, ir::PrimRef> values_;               // of an element
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_SHARED_AXES_H_
