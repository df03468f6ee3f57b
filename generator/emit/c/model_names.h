// Holds a program while it is printed: the C names of its kernels, constants and routines, and the
// results of the analyses in model_facts.h.
#ifndef LATHE_EMIT_C_MODEL_NAMES_H_
#define LATHE_EMIT_C_MODEL_NAMES_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "generator/emit/c/kernel/print_kernel.h"
#include "generator/emit/c/names/c_scope.h"
#include "generator/emit/c/names/macro_names.h"
#include "generator/emit/c/routine_dialect.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/ir/context.h"
#include "generator/ir/program.h"
#include "generator/lower/known_sizes.h"
#include "generator/plan/plan.h"
#include "generator/schedule/finish/divide_run.h"
#include "generator/target/target.h"

namespace lathe::emit {

// A program and its plan while it is printed.
struct Model {
  ir::Context& context;
  const ir::Program& program;
  const plan::Plan& plan;
  const Target& target;
  const CName name;
  const Externs extern_mode;
  const Weights weights;
  const RoutineDialect& dialect;
  // The dependencies of the file that contains the routines.
  CNeeds needs;
  // How the steps of exported functions are printed, and with --step their parts.
  StepOptions steps = {};
  schedule::RunParts parts = {};
  // The constants that are in a source of their own; null: none.
  const SharedConstants* shared_constants = nullptr;
  // The global names of that file.
  CNames file_names = CNames(Case::kFolds);
  MacroNames macros = {};
  // The C expression of each constant: "net_const_0.values". The key contains the device that reads
  // the constant, or 0 in C.
  absl::flat_hash_map<std::pair<ir::ConstantId, int>, std::string> constants = {};
  IdVector<ir::KernelId, PrintedKernel> kernels = {};
  // The names of the static functions of routines.
  IdVector<ir::RoutineId, CName> routines = {};
  // The routines that other routines or they themselves call.
  absl::flat_hash_set<ir::RoutineId> called = {};
  // The inputs of routines that a step may write.
  absl::flat_hash_set<ir::TensorId> written = {};
  // The names of the exported functions, which users call.
  absl::flat_hash_map<ir::RoutineId, CName> entries = {};
  // The names of the external functions in the program.
  std::vector<std::string> externs = {};
  // The C names of the external functions, by the name in the program. Empty with Externs::kTable.
  std::map<std::string, CName> extern_symbols = {};
  // The routines that call an external function directly or indirectly.
  absl::flat_hash_set<ir::RoutineId> calls_out = {};

  // The routines that reach a step that keeps values.
  absl::flat_hash_set<ir::RoutineId> keeps = {};
  // The routines that reach a call of an external function whose result is kept. Objects that the
  // function creates may have to be released.
  absl::flat_hash_set<ir::RoutineId> makes_objects = {};

  // Returns true if a printed kernel may fail.
  bool kernels_fail() const {
    bool fails = false;
    for (size_t i = 0; i < kernels.size(); ++i) {
      fails = fails || kernels[ir::KernelId{static_cast<int32_t>(i)}].fails;
    }
    return fails;
  }
  // Returns the known ranges of the sizes at the start of the routine.
  analysis::Assumptions SizesOf(ir::RoutineId id) const {
    const ir::Routine& routine = program.routines[id];
    const bool from_outside = routine.exported && !called.contains(id) && !routine.loops;
    return lower::KnownSizes(context, program, routine, from_outside);
  }
  // Returns true if the routine has a parameter for the table of external functions.
  bool TakesExterns(ir::RoutineId id) const {
    return extern_mode == Externs::kTable && calls_out.contains(id);
  }
  // Returns true if the constants are in a separate file, which the caller passes to init.
  bool HasExternalWeights() const {
    return AreExternal(weights) && !constants.empty() && dialect.PassesWeights();
  }
  // Returns the parts of a run of the exported routine; none without --step.
  absl::Span<const schedule::RunPart> PartsOf(ir::RoutineId id) const {
    if (parts.size() == 0) return {};
    return parts[id];
  }
  // Returns true if the caller provides memory for variables that live between runs.
  bool HasState() const { return !program.state.empty(); }
  // Returns true if the routine uses memory of the pool number `pool`.
  bool UsesPool(ir::RoutineId id, size_t pool) const {
    const plan::Share& share = plan.frames[id].shares[pool];
    return share.used || share.open;
  }
  // Returns the names of the pools that the routine uses.
  std::vector<std::string> PoolsOf(ir::RoutineId id) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < plan.pools.size(); ++i) {
      if (UsesPool(id, i)) names.push_back(plan.pools[i].name);
    }
    return names;
  }
  // Returns the name of the last pool, which holds tensors of dynamic size. It is the only pool
  // unless the user specified pools. arena_size() is the name of the variable for its size.
  const std::string& arena() const { return plan.pools.back().name; }
  std::string arena_size() const { return arena() + "_size"; }
};

}  // namespace lathe::emit

#endif  // LATHE_EMIT_C_MODEL_NAMES_H_
