// Runs a network on one sample at a time and records the tensors of chosen variables.
#ifndef LATHE_TRANSFORM_POST_TRAINING_SAMPLE_RUNNER_H_
#define LATHE_TRANSFORM_POST_TRAINING_SAMPLE_RUNNER_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "generator/interp/interpreter.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// The arguments of one run, in the order of the parameters.
using Sample = std::vector<interp::Value>;

class SampleRunner {
 public:
  // `module` must outlive the runner and not change. Tensors of the variables in `recorded` are
  // recorded.
  SampleRunner(ir::Context& context, const ir::Module& module, ir::GlobalId function,
               absl::flat_hash_set<ir::ValueId> recorded);

  // Returns the result of the function. Adds errors of the program to `diags`.
  absl::StatusOr<interp::Value> Run(const Sample& sample, Diagnostics& diags);
  // Valid until the next run.
  const absl::flat_hash_map<ir::ValueId, interp::TensorRef>& tensors() const { return tensors_; }

 private:
  const ir::Module& module_;
  const ir::GlobalId function_;
  const absl::flat_hash_set<ir::ValueId> recorded_;
  absl::flat_hash_map<ir::ValueId, interp::TensorRef> tensors_;
  interp::Interpreter interpreter_;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_SAMPLE_RUNNER_H_
