// Several nests of a kernel over the axes of the first one: what each of them computes, in its
// terms, and what the ones before it made put in where it is read.
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

class SharedAxes {
 public:
  // `lets` are what variables around the nests stand for.
  SharedAxes(ir::Context& context, const analysis::ShapeVarMap& lets) : ir_(context), lets_(lets) {}

  // The stage without bindings. Nothing where it reads what was made before elsewhere than at the
  // axes at which it was put, or only a part of it.
  std::optional<RowStage> Take(RowStage stage);

  // What the stage stored, an element for each of its axes, is its value wherever it is read from
  // here on; or a load of it, which stays. False where it has several elements for one, or none.
  bool Made(const RowStage& stage, bool stays);

  const absl::flat_hash_map<ir::BufferRef, ir::PrimRef>& made() const { return made_; }

 private:
  bool Rename(ir::PrimRef e, const RowStage& stage,
              absl::flat_hash_map<ir::PrimRef, ir::PrimRef>& names,
              absl::flat_hash_set<ir::PrimRef>& seen) const;
  ir::PrimRef Inlined(ir::PrimRef e) const;

  ir::Context& ir_;
  const analysis::ShapeVarMap& lets_;
  absl::flat_hash_map<ir::PrimRef, ir::PrimRef> extents_;  // of the first nest's axes
  absl::flat_hash_map<ir::BufferRef, std::vector<ir::PrimRef>> places_;
  absl::flat_hash_map<ir::BufferRef, ir::PrimRef> made_;  // each element
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_SHARED_AXES_H_
