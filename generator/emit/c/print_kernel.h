// A kernel as a C function.
#ifndef LATHE_EMIT_C_PRINT_KERNEL_H_
#define LATHE_EMIT_C_PRINT_KERNEL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "generator/analysis/arithmetic/interval.h"
#include "generator/emit/c/c_scope.h"
#include "generator/emit/c/kernel_sizes.h"
#include "generator/ir/program.h"

namespace lathe::emit {

struct PrintedKernel {
  CName name;
  std::string signature;     // "static void net_add(const float *x, float *out, int64_t n)"
  std::string body;          // lines, without the braces
  std::string functions;     // that it calls, before it
  std::vector<bool> writes;  // for each of the kernel's buffers
  std::vector<bool> narrow;  // for each of its scalars: of 32 bits in place of 64
  std::vector<std::string> declarations;  // of its parameters: "const float *x"
  std::vector<std::string> names;         // and theirs
  bool fails = false;                     // returns a status
};

// `ranges` are those of its scalars, as far as they are known.
absl::StatusOr<PrintedKernel> PrintKernel(ir::Context& context, const ir::Kernel& kernel,
                                          absl::Span<const analysis::Interval> ranges, CName name,
                                          CNeeds& needs);

// What a call gives the kernel for its scalar `i`.
absl::StatusOr<std::string> PrintScalarFor(const PrintedKernel& kernel, size_t i, CScope& scope,
                                           ir::PrimRef scalar);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_KERNEL_H_
