// Holds the state of one evaluation except its frames: the module, budgets and compiled code.
#ifndef LATHE_INTERP_RUNTIME_H_
#define LATHE_INTERP_RUNTIME_H_

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "generator/interp/data/limits.h"
#include "generator/interp/eval_scalar.h"
#include "generator/interp/kernel/run_code.h"
#include "generator/interp/packed_table.h"
#include "generator/interp/scope.h"
#include "generator/interp/values.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"

namespace lathe::interp {

struct Options {
  uint64_t max_bytes = kMaxBytes;
  uint8_t fresh_memory = kFreshMemory;  // value of each byte of new memory
  int64_t max_steps = 0;                // loop iterations, calls and bindings; 0: no limit
  int64_t max_bindings = 0;             // calls and bindings, which take longer; 0: no limit
  int max_call_depth = kMaxCallDepth;
  PackedTable packed = BuiltinPackedTable();
  std::function<void(absl::string_view)> print;  // output of R.print; null: none
  bool native_products = false;                  // eval_product.h
  // Called with each value that a variable is bound to; null: none.
  std::function<void(ir::ValueId, const Value&)> observe;
};

// The limits of a run that is part of another verb than `lathe run`: seconds to minutes.
inline constexpr int64_t kMaxPartialSteps = 400'000'000;
inline constexpr int64_t kMaxPartialBindings = 1'000'000;

// The loop nest of an operator for concrete argument shapes.
struct ComputedOp {
  ir::StructInfoRef result = nullptr;
  ir::PrimFunc func;
};

class Runtime : public PrimCalls {
 public:
  Runtime(ir::Context& ir, const ir::Module& module, Options options);

  // Returns the name of a variable, for messages.
  const std::string& NameOf(ir::ValueId id) const { return module.values[id].name; }
  // Returns `info` as text, with Relax variables spelled as in the program.
  std::string Show(ir::StructInfoRef info) const;

  absl::StatusOr<Scalar> EvalScalar(ir::PrimRef e, const Scope& scope, const Location& loc,
                                    ScalarEvaluator::As as = ScalarEvaluator::As::kNumber);
  // Returns the dimensions of a shape or tensor, in int64. Fails on one that is negative.
  absl::StatusOr<std::vector<int64_t>> EvalDims(const std::vector<ir::PrimRef>& dims,
                                                const Scope& scope, const Location& loc);

  // Runs `func`. It is compiled on the first call. `name` is for messages.
  absl::StatusOr<Scalar> CallPrimFunc(const ir::PrimFunc& func, absl::string_view name,
                                      const std::vector<PrimArg>& args, const Location& loc);
  // Handles calls from PrimFuncs.
  absl::StatusOr<Scalar> Call(const CallInfo& call, std::vector<PrimArg> args,
                              const Location& loc) override;
  // Calls `f` and returns its result. Reports an error when `f` fails.
  absl::StatusOr<Value> CallPacked(const PackedFunction& f, absl::Span<const Value> args,
                                   const ir::AttrMap& attrs, const Location& loc);

  // Implements rule 11: finds the packed function of that name, or the PrimFunc exported under it.
  absl::StatusOr<Value> FindExtern(const std::string& name, const Location& loc);

  // Reports `status` as an error with `code`. Reports an exceeded memory limit instead if resources
  // are exhausted.
  absl::Status Report(const absl::Status& status, absl::string_view code, const Location& loc);
  // Counts one call or binding. Returns false when a limit is reached.
  bool CountStep() { return --steps_left > 0 && --bindings_left > 0; }
  void ResetSteps();  // before each run
  RunEnv Env(const Location& loc) { return {budget, &steps_left, this, diags, loc}; }

  ir::Context& ir;
  const ir::Module& module;
  Options options;
  std::shared_ptr<MemoryBudget> budget;
  int64_t steps_left = std::numeric_limits<int64_t>::max();
  int64_t bindings_left = std::numeric_limits<int64_t>::max();
  Diagnostics* diags = nullptr;
  ScalarEvaluator scalars;
  absl::flat_hash_map<std::pair<const ir::Call*, std::vector<ir::StructInfoRef>>,
                      std::unique_ptr<ComputedOp>>
      computed;

 private:
  absl::flat_hash_map<const ir::PrimFunc*, std::unique_ptr<Code>> compiled_;
  int prim_func_depth_ = 0;
};

// Converts a tensor or scalar to an argument of a PrimFunc; nullopt for other values.
std::optional<PrimArg> AsPrimArg(const Value& value);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_RUNTIME_H_
