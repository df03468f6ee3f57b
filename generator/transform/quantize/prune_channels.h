// Removes channels between integer products that are constant or that no result depends on, and
// folds constants into sums. All results stay bit-exact.
//
//   y = conv(x); z = conv(y)     y[.., c] is 5 for every x: column c of the first product is
//                                removed, and 5 times its weights are added to the bias of the
//                                second
#ifndef LATHE_TRANSFORM_QUANTIZE_PRUNE_CHANNELS_H_
#define LATHE_TRANSFORM_QUANTIZE_PRUNE_CHANNELS_H_

#include <vector>

#include "generator/transform/quantize/integer_product.h"

namespace lathe::transform {

// A product with an epilogue of two roundings, and where its input comes from.
struct ChainedProduct {
  IntegerProduct product;
  int from = -1;      // the product in the list whose result it reads directly, or none
  bool open = false;  // others read the result, too: all columns stay
};

// Changes the products of the list, which are in the order of computation. Where columns are
// removed, a multiple of `granule` remains. Returns whether any product changed.
bool PruneChannels(std::vector<ChainedProduct>& products, int64_t granule);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_QUANTIZE_PRUNE_CHANNELS_H_
