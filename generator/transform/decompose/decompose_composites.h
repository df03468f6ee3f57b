// Replaces composite operators by simpler ones.
//
//   y = R.nn.rms_norm(x, w, axes=[-1])     →     lv = R.multiply(x, x)
//                                                lv1 = R.mean(lv, axis=[1], keepdims=True)
//                                                ...
//                                                y = R.multiply(lv4, w)
//
// Fusion, folding and kernels then only handle the simple operators. A target that has a kernel for
// the whole operator keeps it.
#ifndef LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_COMPOSITES_H_
#define LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_COMPOSITES_H_

#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::transform {

// Returns the full names of all operators with a decomposition, sorted.
std::vector<absl::string_view> CompositeOps();
// Returns the operators among them that sum floats narrower than 32 bits in float32.
std::vector<absl::string_view> SumOps();

// Skips the operators in `keep`, and calls with too little information (the shape of the data, for
// group_norm). Floats under 32 bits are computed in float32 where the operator itself does so.
// Needs Value::info.
void DecomposeComposites(ir::Context& context, ir::Module& module,
                         const std::set<std::string>& keep = {});

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_DECOMPOSE_DECOMPOSE_COMPOSITES_H_
