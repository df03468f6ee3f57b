// Checks the external functions of a program before anything is printed.
#ifndef LATHE_EMIT_C_CHECK_EXTERNS_H_
#define LATHE_EMIT_C_CHECK_EXTERNS_H_

#include "absl/strings/string_view.h"
#include "generator/emit/c/names/extern_name.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"

namespace lathe::emit {

// Reports external functions, and callees of T.call_extern, whose names are not allowed in files of
// `model` (extern_name.h). Also reports functions that are called with different types, and names
// that are called in both ways; these diagnostics show both calls. Reports functions of <math.h>
// that are called with other types than it declares. With Externs::kTable the names of external
// functions are not restricted.
void CheckExterns(const ir::Program& program, absl::string_view model, Externs mode,
                  const ExternRules& rules, Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_CHECK_EXTERNS_H_
