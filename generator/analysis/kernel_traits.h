// Classifies loop nests for fusion, by analysis of their blocks.
//
//   elementwise     out[i, j] = f(a[i, j], b[i, j]): one element of each input for each element
//                   of the output
//   broadcast       out[i, j] = f(a[i, j], b[j]): inputs lack axes of the output; the axes they
//                   have are in its order
//   injective       out[i, j] = f(a[j, i + 1]): elements of inputs come from any index, and their
//                   number per output element does not depend on the sizes
//   reduction       out[i] = sum over k of f(a[i, k]): values of reduce axes are combined in any
//                   order, and no element contributes to two results
//   output-fusable  any other computation that stores each element of the output once, at the
//                   index of the axes: matrix products, windows, normalisations; elementwise
//                   operations can be fused at the store
//   opaque          the rest: order-dependent loops, data-dependent indices, calls with effects
#ifndef LATHE_ANALYSIS_KERNEL_TRAITS_H_
#define LATHE_ANALYSIS_KERNEL_TRAITS_H_

#include "absl/strings/string_view.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// Ordered from the easiest to fuse to the hardest: a kernel of several stages has the last kind
// among them.
enum class KernelKind { kElementwise, kBroadcast, kInjective, kReduction, kOutputFusable, kOpaque };

// "elementwise", "output-fusable", ...
absl::string_view Name(KernelKind kind);

struct KernelTraits {
  KernelKind kind = KernelKind::kOpaque;
};

KernelTraits TraitsOf(const ir::PrimFunc& func);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_KERNEL_TRAITS_H_
