// The PrimFuncs that kernels call, as C functions: their parameters are what the program says, in
// its order.
#ifndef LATHE_EMIT_C_PRINT_CALLEE_H_
#define LATHE_EMIT_C_PRINT_CALLEE_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "generator/emit/c/c_scope.h"

namespace lathe::emit {

// Names for all of them in the file, and which of them may fail.
void NameCallees(ir::Context& context, const std::map<std::string, ir::PrimFunc>& callees,
                 absl::string_view model, CNames& file_names, CNeeds& needs);

struct PrintedCallee {
  std::string signature;  // "static float net_add(float a, float b)"
  std::string body;       // lines, without the braces
};
absl::StatusOr<PrintedCallee> PrintCallee(ir::Context& context, const CCallee& callee,
                                          CNeeds& needs);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_PRINT_CALLEE_H_
