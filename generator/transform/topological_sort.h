// The bindings of each dataflow block in another order that their uses allow.
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
  kDepthFirst,    // what a binding makes possible comes right after it: short lives
  kBreadthFirst,  // layer by layer: what can be done side by side stands together
};
enum class SortFrom {
  kInputs,   // from what needs nothing of the block
  kOutputs,  // from the last binding back: everything as late as it is needed
};

// Where the order allows a choice, the one of the text stays. A binding that overwrites memory
// keeps its place among all others.
void TopologicalSort(ir::Context& context, ir::Module& module,
                     SortOrder order = SortOrder::kDepthFirst, SortFrom from = SortFrom::kInputs);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_TOPOLOGICAL_SORT_H_
