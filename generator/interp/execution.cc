#include "generator/interp/execution.h"

#include "absl/strings/str_cat.h"
#include "generator/interp/data/limits.h"
#include "generator/interp/eval_op.h"
#include "generator/interp/eval_operand.h"
#include "generator/interp/eval_product.h"
#include "generator/support/count_of.h"
#include "generator/support/status.h"

namespace lathe::interp {
namespace {

// Bytes counted per bound variable in addition to its value, and per frame.
constexpr uint64_t kBindingBytes = 96;
constexpr uint64_t kFrameBytes = 1024;

size_t CountBindings(const ir::Body& body) {
  size_t count = 0;
  for (const ir::Block& block : body.blocks) count += block.bindings.size();
  return count;
}

}  // namespace

absl::StatusOr<Value> Execution::Run(ir::GlobalId function, std::vector<Value> args) {
  const Location& loc = rt_.module.globals[function].loc;
  LATHE_ASSIGN_OR_RETURN(const Value callee, EvalGlobal(rt_, function, loc));
  if (const auto* closure = callee.As<std::shared_ptr<const Closure>>()) {
    LATHE_RETURN_IF_ERROR(Enter(*closure, std::move(args), loc, false));
    while (!frames_.empty()) LATHE_RETURN_IF_ERROR(Step());
    return std::move(result_);
  }
  return CallForeign(rt_, callee, args, {}, loc);
}

absl::Status Execution::Step() {
  Cursor& cursor = top().cursors.back();
  const ir::Body& body = *cursor.body;
  if (cursor.block == body.blocks.size()) return EndBody();
  const ir::Block& block = body.blocks[cursor.block];
  if (cursor.binding == block.bindings.size()) return EndBlock();
  if (!rt_.CountStep()) {
    return rt_.diags->LimitExceeded(block.bindings[cursor.binding].loc, "run-step-limit")
           << "the limit on loop iterations and calls was reached";
  }
  return Evaluate(block.bindings[cursor.binding++]);
}

// DataflowVars go out of scope at the end of their block.
absl::Status Execution::EndBlock() {
  Frame& frame = top();
  Cursor& cursor = frame.cursors.back();
  if (cursor.body->blocks[cursor.block].dataflow) {
    frame.scope.LeaveIf(cursor.block_entered,
                        [&](ir::ValueId id) { return rt_.module.values[id].dataflow; });
  }
  ++cursor.block;
  cursor.binding = 0;
  cursor.block_entered = frame.scope.Enter();
  return absl::OkStatus();
}

absl::Status Execution::EnterBody(const ir::Body& body) {
  Frame& frame = top();
  const Scope::Mark mark = frame.scope.Enter();
  frame.cursors.push_back({&body, 0, 0, mark, mark});
  return absl::OkStatus();
}

// Rules 13.3 and 13.4: evaluates the result of a body, then leaves its scope. The result of a
// function's body is checked and bound in the caller.
absl::Status Execution::EndBody() {
  Frame& frame = top();
  const ir::Body& body = *frame.cursors.back().body;
  LATHE_ASSIGN_OR_RETURN(Value value, EvalOperand(rt_, body.result, frame.scope, body.result_loc));
  if (frame.cursors.size() > 1) {
    frame.scope.Leave(frame.cursors.back().entered);
    frame.cursors.pop_back();
  } else {
    if (!frame.owed.Add(rt_, frame.closure, frame.scope)) {
      return rt_.diags->LimitExceeded(body.result_loc, "run-call-depth")
             << "more than " << CountOf(kMaxPendingChecks, "return check") << " are pending";
    }
    LATHE_RETURN_IF_ERROR(frame.owed.Run(rt_, value));
    frames_.pop_back();
    if (frames_.empty()) {
      result_ = std::move(value);
      return absl::OkStatus();
    }
  }
  const Cursor& waiting = top().cursors.back();
  const ir::Binding& binding = waiting.body->blocks[waiting.block].bindings[waiting.binding - 1];
  return Bind(binding.var, std::move(value));
}

// An annotation is checked, because it may be stricter than the derived info.
absl::Status Execution::Bind(ir::ValueId id, Value value) {
  if (!id.valid()) return absl::OkStatus();
  Frame& frame = top();
  const ir::Value& bound = rt_.module.values[id];
  if (bound.annotation != nullptr) {
    LATHE_RETURN_IF_ERROR(CheckStructInfo(
        rt_, value, bound.annotation, frame.scope, bound.annotation_loc,
        absl::StrCat("the annotation of '", bound.name, "' in '", frame.closure->name, "'")));
  }
  if (rt_.options.observe) rt_.options.observe(id, value);
  frame.scope.Bind(id, std::move(value));
  return absl::OkStatus();
}

absl::Status Execution::Evaluate(const ir::Binding& binding) {
  Frame& frame = top();
  return Match(
      binding.rhs,
      [&](const ir::Operand& operand) -> absl::Status {
        LATHE_ASSIGN_OR_RETURN(Value value, EvalOperand(rt_, operand, frame.scope, binding.loc));
        return Bind(binding.var, std::move(value));
      },
      [&](const ir::Call& call) { return EvaluateCall(binding, call); },
      [&](const ir::GetField& get) -> absl::Status {
        LATHE_ASSIGN_OR_RETURN(const Value value,
                               EvalOperand(rt_, get.tuple, frame.scope, binding.loc));
        const auto* fields = value.AsTuple();
        if (fields == nullptr || get.index < 0 ||
            static_cast<size_t>(get.index) >= fields->size()) {
          return rt_.diags->Error(binding.loc, "run-malformed-program")
                 << Describe(value) << " has no field " << get.index;
        }
        return Bind(binding.var, (*fields)[static_cast<size_t>(get.index)]);
      },
      [&](const ir::MatchCast& cast) { return EvaluateMatchCast(binding, cast); },
      [&](const ir::If& branch) { return EvaluateIf(binding, branch); },
      [&](const ir::Function& f) -> absl::Status {
        LATHE_ASSIGN_OR_RETURN(Value value, Capture(f, binding.var));
        return Bind(binding.var, std::move(value));
      });
}

absl::Status Execution::EvaluateMatchCast(const ir::Binding& binding, const ir::MatchCast& cast) {
  Frame& frame = top();
  LATHE_ASSIGN_OR_RETURN(Value value, EvalOperand(rt_, cast.value, frame.scope, binding.loc));
  const bool placed = !std::holds_alternative<std::monostate>(cast.info_loc);
  const std::string name = binding.var.valid() ? rt_.NameOf(binding.var) : "";
  LATHE_RETURN_IF_ERROR(CheckStructInfo(
      rt_, value, cast.info, frame.scope, placed ? cast.info_loc : binding.loc,
      absl::StrCat("the match_cast ", name.empty() ? "" : absl::StrCat("that binds '", name, "' "),
                   "in '", frame.closure->name, "'")));
  return Bind(binding.var, std::move(value));
}

absl::Status Execution::EvaluateIf(const ir::Binding& binding, const ir::If& branch) {
  Frame& frame = top();
  LATHE_ASSIGN_OR_RETURN(const Value cond, EvalOperand(rt_, branch.cond, frame.scope, binding.loc));
  const std::optional<bool> truth = AsCondition(cond);
  if (!truth) {
    return rt_.diags->Error(binding.loc, "run-malformed-program")
           << "the condition of an if must be a bool scalar, got " << Describe(cond);
  }
  return EnterBody(*truth ? branch.then_body : branch.else_body);
}

absl::Status Execution::EvaluateCall(const ir::Binding& binding, const ir::Call& call) {
  Frame& frame = top();
  const auto evaluate_args = [&]() -> absl::StatusOr<std::vector<Value>> {
    std::vector<Value> args;
    for (const ir::Operand& arg : call.args) {
      LATHE_ASSIGN_OR_RETURN(Value value, EvalOperand(rt_, arg, frame.scope, binding.loc));
      args.push_back(std::move(value));
    }
    return args;
  };
  if (const ir::Op* op = call.op()) {
    LATHE_ASSIGN_OR_RETURN(std::vector<Value> args, evaluate_args());
    if (std::optional<CalledByOp> called = CallOfOp(*op, args)) {
      return Invoke(called->callee, std::move(called->args), call.attrs, binding);
    }
    const ir::StructInfoRef info =
        binding.var.valid() ? rt_.module.values[binding.var].info : nullptr;
    OpCall op_call{rt_, frame.scope, call, *op, args, binding.loc, info};
    if (rt_.options.native_products) {
      LATHE_ASSIGN_OR_RETURN(Value product, EvalProduct(op_call));
      if (!product.is_null()) return Bind(binding.var, std::move(product));
    }
    LATHE_ASSIGN_OR_RETURN(Value value, EvalOp(op_call));
    return Bind(binding.var, std::move(value));
  }
  // The callee first, then the arguments: rule 12.2.
  LATHE_ASSIGN_OR_RETURN(
      const Value callee,
      Match(
          call.callee, [](const ir::Op* const&) -> absl::StatusOr<Value> { return Value(); },
          [&](const ir::ValueId& id) {
            return EvalOperand(rt_, ir::Operand{id}, frame.scope, binding.loc);
          },
          [&](const ir::GlobalId& id) { return EvalGlobal(rt_, id, binding.loc); },
          [&](const ir::ExternFunc& f) { return rt_.FindExtern(f.name, binding.loc); }));
  LATHE_ASSIGN_OR_RETURN(std::vector<Value> args, evaluate_args());
  return Invoke(callee, std::move(args), call.attrs, binding);
}

absl::Status Execution::Invoke(const Value& callee, std::vector<Value> args,
                               const ir::AttrMap& attrs, const ir::Binding& binding) {
  if (const auto* closure = callee.As<std::shared_ptr<const Closure>>()) {
    return Enter(*closure, std::move(args), binding.loc, IsTailPosition(binding));
  }
  LATHE_ASSIGN_OR_RETURN(Value value, CallForeign(rt_, callee, args, attrs, binding.loc));
  return Bind(binding.var, std::move(value));
}

bool Execution::IsTailPosition(const ir::Binding& binding) {
  // From the innermost body out: `binding` must be the last, and its variable the result.
  ir::ValueId var = binding.var;
  const std::vector<Cursor>& cursors = top().cursors;
  for (size_t n = cursors.size(); n-- > 0;) {
    const Cursor& cursor = cursors[n];
    const ir::Body& body = *cursor.body;
    const bool last = cursor.block + 1 == body.blocks.size() &&
                      cursor.binding == body.blocks[cursor.block].bindings.size();
    const auto* result = body.result.As<ir::ValueId>();
    if (!last || result == nullptr || !(*result == var)) return false;
    if (n > 0) {
      const Cursor& outer = cursors[n - 1];
      var = outer.body->blocks[outer.block].bindings[outer.binding - 1].var;
    }
  }
  return true;
}

namespace {

// The closure that recursive calls use, without the arguments that R.make_closure bound.
std::shared_ptr<const Closure> WithoutBoundArgs(const std::shared_ptr<const Closure>& closure) {
  if (closure->last_args.empty()) return closure;
  auto plain = std::make_shared<Closure>();
  plain->function = closure->function;
  plain->name = closure->name;
  plain->self = closure->self;
  plain->captured = closure->captured;
  plain->shape_vars = closure->shape_vars;
  return plain;
}

}  // namespace

absl::Status Execution::Enter(std::shared_ptr<const Closure> closure, std::vector<Value> args,
                              const Location& loc, bool tail) {
  const ir::Function& f = *closure->function;
  args.insert(args.end(), closure->last_args.begin(), closure->last_args.end());
  if (!tail && frames_.size() >= static_cast<size_t>(rt_.options.max_call_depth)) {
    return rt_.diags->LimitExceeded(loc, "run-call-depth")
           << "calls are nested more than " << rt_.options.max_call_depth
           << " deep, the last one of '" << closure->name << "'";
  }
  auto frame = std::make_unique<Frame>();
  const uint64_t bytes = kFrameBytes + kBindingBytes * (f.params.size() + CountBindings(f.body));
  if (!rt_.budget->Take(bytes)) {
    return rt_.diags->LimitExceeded(loc, "run-memory-limit")
           << "the call of '" << closure->name << "' would pass the limit of "
           << rt_.budget->max_bytes() << " bytes";
  }
  frame->share = BudgetShare(rt_.budget, bytes);
  for (const auto& [id, value] : closure->captured) frame->scope.Bind(id, value);
  for (const auto& [var, value] : closure->shape_vars) frame->scope.BindShapeVar(var, value);
  if (closure->self)
    frame->scope.Bind(*closure->self, Value(Value::Node(WithoutBoundArgs(closure))));
  frame->closure = std::move(closure);
  LATHE_RETURN_IF_ERROR(CheckArguments(*frame, args, loc));
  if (tail) {
    // The checks of the replaced frame run when the new call returns.
    frame->owed = std::move(top().owed);
    if (!frame->owed.Add(rt_, top().closure, top().scope)) {
      return rt_.diags->LimitExceeded(loc, "run-call-depth")
             << "more than " << CountOf(kMaxPendingChecks, "return check") << " are pending";
    }
    frames_.back() = std::move(frame);
  } else {
    frames_.push_back(std::move(frame));
  }
  return EnterBody(f.body);
}

// "Checking Structural Information at the Start and End of a Function".
absl::Status Execution::CheckArguments(Frame& frame, const std::vector<Value>& args,
                                       const Location& loc) {
  const ir::Function& f = *frame.closure->function;
  if (args.size() != f.params.size()) {
    return rt_.diags->Error(loc, "run-wrong-arguments")
           << "'" << frame.closure->name << "' takes " << CountOf(f.params.size(), "argument")
           << ", got " << args.size();
  }
  return lathe::interp::CheckArguments(rt_, f, frame.closure->name, args, frame.scope, "argument",
                                       {loc, "called here"});
}

// Rule 9. DataflowVars are not captured.
absl::StatusOr<Value> Execution::Capture(const ir::Function& f, ir::ValueId self) {
  Frame& frame = top();
  auto [it, fresh] = mentions_.try_emplace(&f);
  if (fresh) it->second = MentionsOf(f, rt_.module, rt_.scalars);
  auto closure = std::make_shared<Closure>();
  closure->function = &f;
  closure->name = rt_.NameOf(self);
  closure->self = self;
  for (ir::ValueId id : it->second.values) {
    const Value* value = frame.scope.Find(id);
    if (value == nullptr || id == self || rt_.module.values[id].dataflow) continue;
    closure->captured.emplace_back(id, *value);
  }
  for (ir::PrimRef var : it->second.shape_vars) {
    if (const Scalar* value = frame.scope.FindShapeVar(var)) closure->shape_vars[var] = *value;
  }
  const uint64_t bytes =
      sizeof(Closure) + kBindingBytes * (closure->captured.size() + closure->shape_vars.size());
  if (!rt_.budget->Take(bytes)) {
    return rt_.diags->LimitExceeded({}, "run-memory-limit")
           << "the closure '" << closure->name << "' would pass the limit of "
           << rt_.budget->max_bytes() << " bytes";
  }
  closure->share = BudgetShare(rt_.budget, bytes);
  return Value(Value::Node(std::shared_ptr<const Closure>(std::move(closure))));
}

}  // namespace lathe::interp
