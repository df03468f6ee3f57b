// What is shared by the lowering of all functions of a module.
#ifndef LATHE_LOWER_LOWERING_H_
#define LATHE_LOWER_LOWERING_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/analysis/call_graph.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/program.h"
#include "generator/lower/form.h"
#include "generator/support/diagnostics.h"

namespace lathe::lower {

inline constexpr char kSupported[] =
    "supported: tensors of known rank, dtype and sizes, tuples of them, shapes, scalars, calls of "
    "operators, PrimFuncs and functions of the module, 'if', R.match_cast";

// Parameters and results of a routine, in the structure that the function has them.
struct Signature {
  ir::RoutineId id;
  std::vector<Form> params;
  Form result;
};

class Lowering {
 public:
  Lowering(ir::Context& context, const ir::Module& module, Diagnostics& diags)
      : ir(context), module(module), diags(diags), calls(module) {}

  DiagnosticBuilder Unsupported(const Location& loc) {
    failed = true;
    return diags.Unsupported(loc, "cannot-lower");
  }

  // The routine of a function; its body is lowered later. Null after a report.
  const Signature* SignatureOf(ir::GlobalId id);
  // The kernel of a PrimFunc, one for all its calls. Nothing after a report.
  std::optional<ir::KernelId> KernelOf(ir::GlobalId id, const Location& loc);

  // A form of `info`'s structure. Tensors live in `home`; scalars are new variables, but for those
  // that `info` names when they are `given` from outside. Nothing after a report.
  std::optional<Form> NewForm(ir::StructInfoRef info, absl::string_view name, ir::Home home,
                              bool given, const Location& loc);

  ir::Context& ir;
  const ir::Module& module;
  Diagnostics& diags;
  const analysis::CallGraph calls;
  ir::Program program;
  std::vector<ir::GlobalId> waiting;  // functions whose bodies are to be lowered
  bool failed = false;

 private:
  ir::PrimRef NewScalar(ir::PrimRef value, ir::DType dtype, absl::string_view name, bool given);

  absl::node_hash_map<ir::GlobalId, Signature> signatures_;  // callers keep pointers
  absl::flat_hash_map<ir::GlobalId, ir::KernelId> kernels_;
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWERING_H_
