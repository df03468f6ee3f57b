// What is shared by the lowering of all functions of a module.
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

// Parameters and results of a routine, in the structure that the function has them.
struct Signature {
  ir::RoutineId id;
  std::vector<Form> params;
  Form result;
  // For each field of the result, or for the result itself where it is no tuple: the parameter that
  // it always is once it was written in place, else kOwnBytes. There is no output for it, and it is
  // Nothing in `result`. Empty where there is none.
  std::vector<int> returned;
  bool by_body = false;  // the result is what the body's turns out to be
  // Its tensors are left in the arena: the outputs are their sizes, and the scalars.
  bool returns = false;
};

// Makes the parts of `form` the outputs of the routine, named after what the program calls them.
void NameOutputs(const ir::Module& module, const ir::Operand& result, const Form& form,
                 ir::Routine& routine);

// Whether a value of this info has a structure, ranks, dtypes and sizes that all are known.
bool SaysAllSizes(ir::StructInfoRef info);

using Functions = absl::flat_hash_set<ir::GlobalId>;

class Lowering {
 public:
  // `by_value` are those whose parameters become values of any structure where the function does
  // not say what they are: their calls have too many structures for a routine each.
  Lowering(ir::Context& context, const ir::Module& module, Diagnostics& diags, Functions by_value);

  DiagnosticBuilder Unsupported(const Location& loc) {
    failed = true;
    return diags.Unsupported(loc, "cannot-lower");
  }

  // Whether a routine can say what the function takes and gives: tensors of known rank and dtype,
  // those it gives of known sizes, tuples of them, shapes, scalars.
  bool CanBeRoutine(const ir::Function& f) const;
  // Tensors of known rank and dtype whose sizes are new variables, which `var` hears, as are
  // scalars; in the order of the outputs of a routine that returns them. Nothing where one is not
  // known.
  std::optional<Form> ReturnedForm(ir::StructInfoRef info, const std::string& name,
                                   const std::function<void(ir::PrimRef)>& var);
  // The routine of a function; its body is lowered later. Null after a report.
  const Signature* SignatureOf(ir::GlobalId id);
  // The routine of a function whose parameters say less than its calls need, for arguments of the
  // structure of `args`: which tensors, which functions. Null after a report, or
  // where there are too many of them.
  const Signature* SignatureFor(ir::GlobalId id, const std::vector<Form>& args);
  // The kernel of a PrimFunc, one for all its calls. Nothing after a report.
  std::optional<ir::KernelId> KernelOf(ir::GlobalId id, const Location& loc);

  // A form of `info`'s structure. Tensors live in `home`; scalars are new variables, but for those
  // that `info` names when they are `given` from outside; what `info` leaves open is a value of any
  // structure. Nothing after a report.
  std::optional<Form> NewForm(ir::StructInfoRef info, absl::string_view name, ir::Home home,
                              bool given, const Location& loc);

  // A variable that may have any value of its dtype.
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
  // Those that functions of the module use: others, or themselves.
  absl::flat_hash_set<const ir::Function*> used;
  FunctionEffects effects;
  ir::Program program;
  // Functions whose bodies are to be lowered, and for what arguments.
  std::vector<std::pair<ir::GlobalId, const Signature*>> waiting;
  bool failed = false;
  // The function that has to be among those `by_value`: all is to be lowered again.
  std::optional<ir::GlobalId> too_many = {};
  int inlined_depth = 0;  // bodies that are being lowered in place of calls
  int inlined_count = 0;

 private:
  bool IsByValue(ir::GlobalId id, size_t param) const;
  ir::PrimRef NewSize(ir::PrimRef value, absl::string_view name, bool given);
  ir::Routine RoutineOf(const ir::Global& global, const std::vector<Form>& params);

  const Functions by_value_;
  absl::node_hash_map<ir::GlobalId, Signature> signatures_;  // callers keep pointers
  absl::node_hash_map<std::string, Signature> special_;      // the same, by structures
  size_t special_leaves_ = 0;                                // of the arguments of all of them
  absl::flat_hash_map<ir::GlobalId, ir::KernelId> kernels_;
};

}  // namespace lathe::lower

#endif  // LATHE_LOWER_LOWERING_H_
