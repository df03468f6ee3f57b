// Merges a chain of permutations with reshapes between them into one permutation, or into none.
//
//   a = R.permute_dims(x, [0, 3, 1, 2])      # x has the shape (1, 8, 8, 6)
//   b = R.reshape(a, (1, 2, 3, 8, 8))              r = R.reshape(x, (64, 2, 3))
//   c = R.permute_dims(b, [0, 2, 1, 3, 4])    →    p = R.permute_dims(r, [0, 2, 1])
//   d = R.reshape(c, (1, 6, 8, 8))                 e = R.reshape(p, (1, 8, 8, 6))
//   e = R.permute_dims(d, [0, 2, 3, 1])
//
// Exporters write such chains for a shuffle of channels, a move of pixels to channels, the heads of
// an attention, and a change of layout beside each of them. A reshape costs nothing; a permutation
// is a copy.
#ifndef LATHE_TRANSFORM_MERGE_PERMUTATIONS_H_
#define LATHE_TRANSFORM_MERGE_PERMUTATIONS_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Merges the chains of each block. Requires Value::info. Values that become unused are left for
// dead_code_elimination.
void MergePermutations(ir::Context& context, ir::Module& module);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_MERGE_PERMUTATIONS_H_
