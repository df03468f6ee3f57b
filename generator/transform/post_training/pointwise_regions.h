// Finds elementwise functions of one tensor, such as a Gelu that is written as several operators.
// Their intermediate results are not quantized.
//
//   a = R.multiply(x, R.const(0.7071))       }
//   b = R.erf(a)                             }  base: x
//   c = R.add(b, R.const(1.0))               }
//   y = R.multiply(x, c)                     }  result
#ifndef LATHE_TRANSFORM_POST_TRAINING_POINTWISE_REGIONS_H_
#define LATHE_TRANSFORM_POST_TRAINING_POINTWISE_REGIONS_H_

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "generator/ir/module.h"

namespace lathe::transform {

struct PointwiseRegion {
  ir::ValueId base;
  // Quantizing it would lose too much: it contains an exponential, logarithm, root, power, or a
  // division by a tensor.
  bool steep = false;
};

struct PointwiseRegions {
  absl::flat_hash_map<ir::ValueId, PointwiseRegion> results;
  absl::flat_hash_set<ir::ValueId> intermediate;  // values that only their region uses
};

// Returns the regions of `function`. No region computes a value in `taken`.
PointwiseRegions FindPointwiseRegions(const ir::Module& module, const ir::Function& function,
                                      const absl::flat_hash_set<ir::ValueId>& taken);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_POINTWISE_REGIONS_H_
