// Answers whether an expression is known at launch time, before a kernel starts.
#ifndef LATHE_SCHEDULE_CUDA_KERNEL_SCALARS_H_
#define LATHE_SCHEDULE_CUDA_KERNEL_SCALARS_H_

#include <algorithm>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "generator/analysis/arithmetic/shape_vars.h"
#include "generator/ir/program.h"

namespace lathe::schedule {

// The scalar parameters of a kernel.
class KernelScalars {
 public:
  explicit KernelScalars(const ir::Kernel& kernel)
      : known_(kernel.scalars.begin(), kernel.scalars.end()) {}

  // Returns whether all variables of `e` are scalar parameters of the kernel.
  bool Know(ir::PrimRef e) const {
    const std::vector<ir::PrimRef> vars = analysis::VarsIn(e);
    return std::all_of(vars.begin(), vars.end(), [&](ir::PrimRef v) { return known_.contains(v); });
  }

 private:
  const absl::flat_hash_set<ir::PrimRef> known_;
};

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_CUDA_KERNEL_SCALARS_H_
