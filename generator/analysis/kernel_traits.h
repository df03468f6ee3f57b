// What kind of kernel a loop nest is, as fusion asks: found in its blocks, never declared.
//
//   elementwise     out[i, j] = f(a[i, j], b[i, j]): one element of each input for each of the
//   output broadcast       out[i, j] = f(a[i, j], b[j]): inputs lack axes of the output, those they
//   have are
//                   in its order
//   injective       out[i, j] = f(a[j, i + 1]): elements of inputs come from anywhere, but how many
//                   an element needs does not depend on the sizes
//   reduction       out[i] = sum over k of f(a[i, k]): values of reduce axes come together, in any
//                   order, and no element is needed for two results
//   output-fusable  any other computation in which each element of the output is stored once,
//                   at the place of the axes: matrix products, windows, normalisations; what is
//                   elementwise may follow where it stores
//   opaque          the rest: orders that count, places that data says, calls with effects
#ifndef LATHE_ANALYSIS_KERNEL_TRAITS_H_
#define LATHE_ANALYSIS_KERNEL_TRAITS_H_

#include "absl/strings/string_view.h"
#include "generator/ir/tir.h"

namespace lathe::analysis {

// From what fuses best to what does not at all: of two kinds in one kernel the later counts.
enum class KernelKind { kElementwise, kBroadcast, kInjective, kReduction, kOutputFusable, kOpaque };

// "elementwise", "output-fusable", ...
absl::string_view Name(KernelKind kind);

struct KernelTraits {
  KernelKind kind = KernelKind::kOpaque;
};

KernelTraits TraitsOf(const ir::PrimFunc& func);

}  // namespace lathe::analysis

#endif  // LATHE_ANALYSIS_KERNEL_TRAITS_H_
