// Prints the PrimFuncs that kernels call as C functions. Their parameters are those of the
// PrimFunc, in the same order.
#ifndef LATHE_EMIT_C_KERNEL_PRINT_CALLEE_H_
#define LATHE_EMIT_C_KERNEL_PRINT_CALLEE_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/names/c_scope.h"

namespace lathe::emit {

// Chooses names for `callees` and stores the callees in `needs`, with the information which of them
// may fail and how they access their pointer parameters.
void NameCallees(ir::Context& context, const std::map<std::string, ir::PrimFunc>& callees,
                 absl::string_view model, CNames& file_names, CNeeds& needs);

struct PrintedCallee {
  std::string signature;  // "static float net_add(float a, float b)"
  std::string body;       // lines, without the braces
};
// Prints one callee. A callee that may fail returns a status and stores its result through a last
// parameter.
absl::StatusOr<PrintedCallee> PrintCallee(ir::Context& context, const CCallee& callee,
                                          CNeeds& needs);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_KERNEL_PRINT_CALLEE_H_
