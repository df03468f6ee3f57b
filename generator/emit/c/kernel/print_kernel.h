// Prints a kernel as a C function.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_KERNEL_H_
#define LATHE_EMIT_C_KERNEL_PRINT_KERNEL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/emit/c/kernel/kernel_sizes.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/ir/program.h"

namespace lathe::emit {

// The text of a kernel, and the facts that its callers need.
struct PrintedKernel {
  CName name;
  std::string signature;  // "static void net_add(const float *x, float *out, int64_t n)"
  std::string body;       // the lines between the braces
  std::string functions;  // the helper functions of its tiles, printed before it
  // For each buffer of the kernel: true if the kernel may write it.
  std::vector<bool> writes;
  // For each scalar of the kernel: true if it is passed as a 32-bit parameter although it has 64.
  std::vector<bool> narrow;
  std::vector<std::string> declarations;  // of the parameters: "const float *x"
  std::vector<std::string> names;         // of the parameters: "x"
  bool fails = false;                     // true if the function returns a status
};

// Prints `kernel` under `name`. `ranges` holds the range of each scalar (ScalarRanges).
absl::StatusOr<PrintedKernel> PrintKernel(ir::Context& context, const ir::Kernel& kernel,
                                          absl::Span<const analysis::Interval> ranges, CName name,
                                          CNeeds& needs);

// Prints the argument for scalar number `i` of `kernel`: the value `scalar`, cast to int32_t if the
// parameter is narrow.
absl::StatusOr<std::string> PrintScalarFor(const PrintedKernel& kernel, size_t i, CScope& scope,
                                           ir::PrimRef scalar);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_KERNEL_H_
