// Folds batch normalization and other affine functions of each channel into the convolution or
// matrix product before them.
//
//   lv = R.nn.conv2d(x, w)              lv = R.nn.conv2d(x, w * a)
//   y = batch_norm(lv, ...)      →      y = R.add(lv, b)
#ifndef LATHE_TRANSFORM_POST_TRAINING_FOLD_AFFINE_H_
#define LATHE_TRANSFORM_POST_TRAINING_FOLD_AFFINE_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Returns the number of folded functions. The results change by rounding only. Needs Value::info.
int FoldAffine(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_POST_TRAINING_FOLD_AFFINE_H_
