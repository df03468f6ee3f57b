// Checks the functions that a program calls and its user defines, before anything is printed.
#ifndef LATHE_EMIT_C_CHECK_EXTERNS_H_
#define LATHE_EMIT_C_CHECK_EXTERNS_H_

#include "absl/strings/string_view.h"
#include "generator/emit/c/extern_name.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"

namespace lathe::emit {

// Reports names of T.call_extern and of external functions that cannot be those of functions in
// files of `model` (extern_name.h), and functions that are called with different types, or by one
// name in two ways, each with both places. In a table (Externs::kTable) external functions have
// any names.
void CheckExterns(const ir::Program& program, absl::string_view model, Externs mode,
                  const ExternRules& rules, Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_CHECK_EXTERNS_H_
