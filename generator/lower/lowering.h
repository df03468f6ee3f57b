// Holds the state that the lowering of all functions of a module shares.
#ifndef LATHE_LOWER_LOWERING_H_
#define LATHE_LOWER_LOWERING_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/node_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/analysis/call_graph.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/ir/program.h"
#include "generator/lower/form.h"
#include "generator/lower/param_effects.h"
#include "generator/lower/param_roots.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/count_uses.h"

namespace lathe::lower {

inline constexpr char kSupported[] =
    "supported: tensors, tuples, shapes, scalars, text, functions and closures, calls of "
    "operators, "
    "PrimFuncs and functions of the module, 'if', R.match_cast";

// The parameters and results of a routine, in the structure of the Relax function.
struct Signature {
  ir::RoutineId id;
  std::vector<Form> params;
  Form result;
  // For each field of the result, or for a result that is not a tuple: the parameter that it always
  // is after in-place writes, else kOwnBytes. Such a field has no output and is Nothing in
  // `result`. Empty if there is no such field.
  std::vector<int> returned;
  bool by_body = false;  // the result's structure is determined by the body
  // Result tensors are left in the arena: the outputs are their sizes and the scalars.
  bool returns = false;
};

// Makes the parts of `form` the outputs of the routine, with the names used in the program.
void NameOutputs(const ir::Module& module, const ir::Operand& result, const Form& form,
                 ir::Routine& routine);

// Returns whether the info specifies structure, ranks, dtypes and sizes completely.
bool HasAllSizes(ir::StructInfoRef info);

using Functions = absl::flat_hash_set<ir::GlobalId>;

class Lowering {
 public:
  // `by_value` are the functions whose unannotated parameters are boxed: their calls have too many
  // argument structures to specialize a routine for each.
  Lowering(ir::Context& context, const ir::Module& module, Diagnostics& diags, Functions by_value);

  DiagnosticBuilder Unsupported(const Location& loc) {
    failed = true;
    return diags.Unsupported(loc, "cannot-lower");
  }

  // Returns whether the signature alone defines a routine: it consists of tensors of known rank and
  // dtype, with known sizes in the result, tuples of them, shapes and scalars.
  bool CanBeRoutine(const ir::Function& f) const;
  // Returns tensors of known rank and dtype with new variables as sizes, in the order of the
  // outputs of a routine that returns them. Sizes and scalars are passed to `var`. Returns nothing
  // if a rank or dtype is unknown.
  std::optional<Form> ReturnedForm(ir::StructInfoRef info, const std::string& name,
                                   const std::function<void(ir::PrimRef)>& var);
  // Returns the routine of a function, whose body is lowered later. Returns null after a report.
  const Signature* SignatureOf(ir::GlobalId id);
  // Returns the routine of a function with incomplete parameter annotations, specialized for the
  // structure of `args`. Returns null after a report or if there are too many specializations.
  const Signature* SpecializedSignature(ir::GlobalId id, const std::vector<Form>& args);
  // Returns the kernel of a PrimFunc, one for all its calls. Returns nothing after a report.
  std::optional<ir::KernelId> KernelOf(ir::GlobalId id, const Location& loc);

  // Creates a form of the structure of `info`. Tensors have the home `home`. Scalars are new
  // variables, except for the variables that `info` names if they are `given` by the caller.
  // Unspecified parts become boxed values. Returns nothing after a report.
  std::optional<Form> NewForm(ir::StructInfoRef info, absl::string_view name, ir::Home home,
                              bool given, const Location& loc);

  // Creates a variable that may have any value of its dtype.
  ir::PrimRef NewNumber(absl::string_view name, ir::DType dtype = ir::DType::Int(64)) {
    const ir::PrimRef var = ir.NewVar(name, dtype);
    ir.MakeSigned(var);
    return var;
  }

  ir::Context& ir;
  const ir::Module& module;
  Diagnostics& diags;
  const analysis::CallGraph calls;
  const transform::Uses uses;  // of the module's variables
  // The functions that are used by others or by themselves.
  absl::flat_hash_set<const ir::Function*> used;
  FunctionEffects effects;
  ir::Program program;
  // The worklist: functions to lower, with their signatures.
  std::vector<std::pair<ir::GlobalId, const Signature*>> worklist;
  bool failed = false;
  // A function that must be added to `by_value`. Lowering then starts again.
  std::optional<ir::GlobalId> overspecialized = {};
  int inlined_depth = 0;  // nesting depth of inlined bodies
  int inlined_count = 0;

 private:
  bool IsByValue(ir::GlobalId id, size_t param) const;
  ir::PrimRef NewSize(ir::PrimRef value, absl::string_view name, bool given);
  ir::Routine RoutineOf(const ir::Global& global, const std::vector<Form>& params);

  const Functions by_value_;
  absl::node_hash_map<ir::GlobalId, Signature> signatures_;  // node-based: callers keep pointers
  absl::node_hash_map<std::string, Signature>
      specialized_;                // specialized signatures, by argument structure
  size_t specialized_leaves_ = 0;  // of the arguments of all specialized signatures
  absl::flat_hash_map<ir::GlobalId, ir::KernelId> kernels_;
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWERING_H_
