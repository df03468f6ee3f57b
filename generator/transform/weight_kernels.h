// Adds PrimFuncs to a module that dequantize weights, and calls of them.
#ifndef LATHE_TRANSFORM_WEIGHT_KERNELS_H_
#define LATHE_TRANSFORM_WEIGHT_KERNELS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/transform/global_names.h"

namespace lathe::transform {

class WeightKernels {
 public:
  WeightKernels(ir::Context& context, ir::Module& module)
      : context_(context), module_(module), names_(module) {}

  // Returns the call that computes float32 numbers from integers and scales, both constants, as
  // ops::DequantizeBlocks does. Calls for equal shapes share a function. Adding a function moves
  // the functions of the module.
  absl::StatusOr<ir::Call> Dequantize(ir::ConstantId integers, ir::ConstantId scales, int axis,
                                      int64_t block);

 private:
  absl::StatusOr<ir::GlobalId> FunctionFor(const ir::Constant& integers, const ir::Constant& scales,
                                           int axis, int64_t block);

  ir::Context& context_;
  ir::Module& module_;
  GlobalNames names_;
  absl::flat_hash_map<std::string, ir::GlobalId> made_;
};

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_WEIGHT_KERNELS_H_
