// Runs one call: keeps a stack of frames and evaluates one binding per step. The C++ stack does not
// grow with the depth of calls in the program.
#ifndef LATHE_INTERP_EXECUTION_H_
#define LATHE_INTERP_EXECUTION_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "generator/interp/mentions.h"
#include "generator/interp/return_checks.h"
#include "generator/interp/runtime.h"
#include "generator/interp/scope.h"

namespace lathe::interp {

class Execution {
 public:
  explicit Execution(Runtime& rt) : rt_(rt) {}

  // Calls `function` with `args` and returns the result. Fails, with a diagnostic, on errors.
  absl::StatusOr<Value> Run(ir::GlobalId function, std::vector<Value> args);

 private:
  // The next binding to evaluate in a body.
  struct Cursor {
    const ir::Body* body;
    size_t block = 0;
    size_t binding = 0;
    Scope::Mark entered;        // the body's scope
    Scope::Mark block_entered;  // the block's, for its DataflowVars
  };
  struct Frame {
    std::shared_ptr<const Closure> closure;
    Scope scope;
    std::vector<Cursor> cursors;  // nested bodies: branches of Ifs, innermost last
    ReturnChecks owed;            // by the tail calls that this frame replaced
    BudgetShare share;
  };

  absl::Status Step();
  absl::Status Evaluate(const ir::Binding& binding);
  absl::Status EvaluateCall(const ir::Binding& binding, const ir::Call& call);
  absl::Status EvaluateIf(const ir::Binding& binding, const ir::If& branch);
  absl::Status EvaluateMatchCast(const ir::Binding& binding, const ir::MatchCast& cast);
  absl::Status EndBody();
  absl::Status EndBlock();
  absl::Status Bind(ir::ValueId id, Value value);

  // Calls any callable value and binds the result to the variable of `binding`.
  absl::Status Invoke(const Value& callee, std::vector<Value> args, const ir::AttrMap& attrs,
                      const ir::Binding& binding);
  absl::Status Enter(std::shared_ptr<const Closure> closure, std::vector<Value> args,
                     const Location& loc, bool tail);
  absl::Status CheckArguments(Frame& frame, const std::vector<Value>& args, const Location& loc);
  absl::Status EnterBody(const ir::Body& body);

  absl::StatusOr<Value> Capture(const ir::Function& f, ir::ValueId self);
  Frame& top() { return *frames_.back(); }
  // Returns true if the function returns the result of `binding` without evaluating anything else.
  bool IsTailPosition(const ir::Binding& binding);

  Runtime& rt_;
  std::vector<std::unique_ptr<Frame>> frames_;
  Value result_;
  absl::flat_hash_map<const ir::Function*, Mentions> mentions_;
};

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EXECUTION_H_
