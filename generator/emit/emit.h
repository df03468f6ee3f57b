// Program and plan to text: the only folder that knows C.
#ifndef LATHE_EMIT_EMIT_H_
#define LATHE_EMIT_EMIT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/program.h"
#include "generator/plan/plan.h"
#include "generator/support/diagnostics.h"

namespace lathe::emit {

struct OutputFile {
  std::string name;  // "hello_add.c", below the bundle's folder
  std::string text;
};

// The header and source of `program` under the C identifier `name`. What cannot be printed is
// reported as unsupported and fails.
absl::StatusOr<std::vector<OutputFile>> EmitC(ir::Context& context, const ir::Module& module,
                                              const ir::Program& program, const plan::Plan& plan,
                                              const Target& target, absl::string_view name,
                                              Diagnostics& diags);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_EMIT_H_
