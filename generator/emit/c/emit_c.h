// Emits a program and its plan as C.
#ifndef LATHE_EMIT_C_EMIT_C_H_
#define LATHE_EMIT_C_EMIT_C_H_

#include "absl/status/statusor.h"
#include "generator/emit/text/c_name.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/plan/plan.h"
#include "generator/support/diagnostics.h"
#include "generator/target/target.h"

namespace lathe::emit {

// Returns the header and source of `program` under the C identifier `name`, and the files of its
// weights unless these are in the source. Fails if a part of the program cannot be printed as C,
// and reports that part as unsupported to `diags`.
absl::StatusOr<EmittedModel> EmitC(ir::Context& context, const ir::Program& program,
                                   const plan::Plan& plan, const Target& target, const CName& name,
                                   const EmitOptions& options, Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_EMIT_C_H_
