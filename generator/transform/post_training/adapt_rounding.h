// Rounds weights so that the error of the products is small, rather than the error of each weight.
//
// The columns of the weights are rounded element by element; each rounding error is compensated by
// the elements that follow, weighted by the correlation of the inputs (optimal brain compression).
// No training is involved.
#ifndef LATHE_TRANSFORM_POST_TRAINING_ADAPT_ROUNDING_H_
#define LATHE_TRANSFORM_POST_TRAINING_ADAPT_ROUNDING_H_

#include "generator/ir/module.h"
#include "generator/transform/post_training/input_moments.h"
#include "generator/transform/post_training/quantize_weights.h"

namespace lathe::transform {

// Replaces the integers of `quantized`; the scales stay. Does nothing without second moments.
void AdaptRounding(const ir::Constant& weights, const InputMoments& moments,
                   QuantizedWeights& quantized);

// Returns the mean error of each column of the result that the rounding of the weights causes.
std::vector<double> MeanErrors(const ir::Constant& weights, const InputMoments& moments,
                               const QuantizedWeights& quantized);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_ADAPT_ROUNDING_H_
