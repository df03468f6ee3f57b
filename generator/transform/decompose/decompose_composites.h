// Operators that are made of others become those.
//
//   y = R.nn.rms_norm(x, w, axes=[-1])     →     lv = R.multiply(x, x)
//                                                lv1 = R.mean(lv, axis=[1], keepdims=True)
//                                                ...
//                                                y = R.multiply(lv4, w)
//
// So that fusion, folding and kernels need to know the small ones only. A target that has a kernel
// for the whole keeps it.
#ifndef LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_COMPOSITES_H_
#define LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_COMPOSITES_H_

#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// By full name, sorted: what there is a decomposition for.
std::vector<absl::string_view> CompositeOps();
// Those of them that are sums, in float32 where floats are smaller.
std::vector<absl::string_view> SumOps();

// Leaves alone the operators in `keep`, and calls of which too little is known (the shape of the
// data, for group_norm). Floats under 32 bits are computed in float32 where the operator itself
// does. Needs Value::info.
void DecomposeComposites(ir::Context& context, ir::Module& module,
                         const std::set<std::string>& keep = {});

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_COMPOSITES_H_
