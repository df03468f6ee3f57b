// Runs a network on calibration samples and passes the values of chosen variables to a visitor.
#ifndef LATHE_TRANSFORM_POST_TRAINING_RUN_SAMPLES_H_
#define LATHE_TRANSFORM_POST_TRAINING_RUN_SAMPLES_H_

#include <functional>
#include <memory>
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
  // `module` must outlive the runner and not change. The values of `taps` are recorded.
  SampleRunner(ir::Context& context, const ir::Module& module, ir::GlobalId function,
               absl::flat_hash_set<ir::ValueId> taps);

  // Returns the result of the function. Errors of the program are in `diags`.
  absl::StatusOr<interp::Value> Run(const Sample& sample, Diagnostics& diags);
  // The recorded tensors of the last run.
  const absl::flat_hash_map<ir::ValueId, interp::TensorRef>& tensors() const { return tensors_; }

 private:
  const ir::Module& module_;
  const ir::GlobalId function_;
  const absl::flat_hash_set<ir::ValueId> taps_;
  absl::flat_hash_map<ir::ValueId, interp::TensorRef> tensors_;
  interp::Interpreter interpreter_;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_RUN_SAMPLES_H_
