// Finds the values of layer normalizations that are written as several operators. They stay in
// float32: their variances have a larger range than 8 bits represent.
//
//   d = R.subtract(x, R.mean(x)); v = R.mean(R.multiply(d, d))
//   n = R.divide(d, R.sqrt(R.add(v, eps))); y = R.add(R.multiply(n, gamma), beta)
#ifndef LATHE_TRANSFORM_POST_TRAINING_NORMALIZATION_VALUES_H_
#define LATHE_TRANSFORM_POST_TRAINING_NORMALIZATION_VALUES_H_

#include "absl/container/flat_hash_set.h"
#include "generator/ir/module.h"

namespace lathe::transform {

absl::flat_hash_set<ir::ValueId> FindNormalizationValues(const ir::Module& module,
                                                         const ir::Function& function);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_NORMALIZATION_VALUES_H_
