// Replaces the float weights of products by integers that the program dequantizes. Activations stay
// in float32.
//
//   y = R.matmul(x, w)     →     w1 = R.call_tir(dequantize_blocks, (w4, scales))
//                                y = R.matmul(x, w1)
#ifndef LATHE_TRANSFORM_POST_TRAINING_INSERT_WEIGHTS_H_
#define LATHE_TRANSFORM_POST_TRAINING_INSERT_WEIGHTS_H_

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/transform/post_training/insert_quantization.h"

namespace lathe::transform {

// Rewrites the products of plan.network in `function`, with corrected biases where the plan has
// them. Ids of values stay valid. Call RederiveInfo afterwards: new values have no info. Returns
// the results of the layers, for comparisons: each has its own id.
absl::StatusOr<absl::flat_hash_map<ir::ValueId, ir::ValueId>> InsertWeights(
    const QuantizationPlan& plan, ir::GlobalId function, ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_INSERT_WEIGHTS_H_
