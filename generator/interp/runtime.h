// What one evaluation keeps besides its frames: the module, budgets, what was compiled.
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
  uint8_t fresh_memory = kFreshMemory;  // each byte of what is not written yet
  int64_t max_steps = 0;                // loop iterations, calls and bindings; 0: no limit
  int max_call_depth = kMaxCallDepth;
  PackedTable packed = BuiltinPackedTable();
  std::function<void(absl::string_view)> print;  // what R.print writes; null: nowhere
};

// An operator's loop nest for arguments of certain shapes.
struct ComputedOp {
  ir::StructInfoRef result = nullptr;
  ir::PrimFunc func;
};

class Runtime : public PrimCalls {
 public:
  Runtime(ir::Context& ir, const ir::Module& module, Options options);

  // A value's variable by name, for messages.
  const std::string& NameOf(ir::ValueId id) const { return module.values[id].name; }
  // StructInfo with Relax variables spelled as in the program.
  std::string Show(ir::StructInfoRef info) const;

  absl::StatusOr<Scalar> EvalScalar(ir::PrimRef e, const Scope& scope, const Location& loc,
                                    ScalarEvaluator::As as = ScalarEvaluator::As::kNumber);
  // The dimensions of a shape or tensor, in int64. Fails on one that is negative.
  absl::StatusOr<std::vector<int64_t>> EvalDims(const std::vector<ir::PrimRef>& dims,
                                                const Scope& scope, const Location& loc);

  // Runs `func`, compiled once. `name` is for messages.
  absl::StatusOr<Scalar> CallPrimFunc(const ir::PrimFunc& func, absl::string_view name,
                                      const std::vector<PrimArg>& args, const Location& loc);
  // What a PrimFunc calls.
  absl::StatusOr<Scalar> Call(const CallInfo& call, std::vector<PrimArg> args,
                              const Location& loc) override;
  absl::StatusOr<Value> CallPacked(const PackedFunction& f, absl::Span<const Value> args,
                                   const ir::AttrMap& attrs, const Location& loc);

  // Rule 11: the packed function of that name, or the PrimFunc exported under it.
  absl::StatusOr<Value> FindExtern(const std::string& name, const Location& loc);

  // A failure of `what` that is not the program's own: out of memory, mostly.
  absl::Status Report(const absl::Status& status, absl::string_view code, const Location& loc);
  bool CountStep() { return --steps_left > 0; }
  RunEnv Env(const Location& loc) { return {budget, &steps_left, this, diags, loc}; }

  ir::Context& ir;
  const ir::Module& module;
  Options options;
  std::shared_ptr<MemoryBudget> budget;
  int64_t steps_left = std::numeric_limits<int64_t>::max();
  Diagnostics* diags = nullptr;
  ScalarEvaluator scalars;
  absl::flat_hash_map<std::pair<const ir::Call*, std::vector<ir::StructInfoRef>>,
                      std::unique_ptr<ComputedOp>>
      computed;

 private:
  absl::flat_hash_map<const ir::PrimFunc*, std::unique_ptr<Code>> compiled_;
  int prim_func_depth_ = 0;
};

// A value as an argument of a PrimFunc: a tensor or a scalar; nothing when it is something else.
std::optional<PrimArg> AsPrimArg(const Value& value);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_RUNTIME_H_
