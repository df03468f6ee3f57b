// Sorts the bindings of each dataflow block, respecting dependences.
//
//   a = R.exp(x)                        a = R.exp(x)
//   b = R.exp(y)      depth first  →    c = R.negative(a)
//   c = R.negative(a)                   b = R.exp(y)
//   d = R.negative(b)                   d = R.negative(b)
#ifndef LATHE_TRANSFORM_TOPOLOGICAL_SORT_H_
#define LATHE_TRANSFORM_TOPOLOGICAL_SORT_H_

#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

enum class SortOrder {
  kDepthFirst,    // users follow right after: short lifetimes
  kBreadthFirst,  // layer by layer: independent bindings are adjacent
};
enum class SortFrom {
  kInputs,   // from bindings without operands in the block
  kOutputs,  // from the last binding back: each binding as late as possible
};

// Ties keep the order of the text. A binding with an effect keeps its position relative to all
// others.
void TopologicalSort(ir::Context& context, ir::Module& module,
                     SortOrder order = SortOrder::kDepthFirst, SortFrom from = SortFrom::kInputs);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_TOPOLOGICAL_SORT_H_
