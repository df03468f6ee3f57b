// Compiles thread loops, launches and thread reductions.
#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/analysis/threads_synchronize.h"
#include "generator/interp/kernel/arithmetic_steps.h"
#include "generator/interp/kernel/call_steps.h"
#include "generator/interp/kernel/compile_expr.h"
#include "generator/interp/kernel/compile_stmt.h"
#include "generator/interp/kernel/control_steps.h"
#include "generator/interp/kernel/memory_steps.h"
#include "generator/interp/kernel/thread_group.h"
#include "generator/ir/scope_id.h"
#include "generator/ir/tir_mentions.h"

namespace lathe::interp {

using ir::PrimRef;
using ir::StmtRef;

// Threads run serially unless they synchronize, because the result is the same.
void StmtCompiler::RunThreads(const Threads& threads, Stmts stmts) {
  const int axis = analysis::ThreadAxis(threads.tag);
  std::set<std::string> launched;
  for (const auto& [tag, var] : launched_) launched.insert(tag);
  const auto synchronizes = [&](StmtRef s) { return analysis::ThreadsSynchronize(s, launched); };
  if (axis < 0 || std::none_of(stmts.begin(), stmts.end(), synchronizes)) {
    SerialLoop(threads, b_.ConstantReg(1), stmts);
    return;
  }
  const Reg var = b_.NewReg();
  Instr fork{ForkStep, var, threads.min, threads.extent};
  fork.d = static_cast<uint32_t>(axis);
  fork.type = threads.var->dtype();
  const uint32_t at = b_.Emit(fork);
  std::vector<Loop> outside;
  outside.swap(loops_);  // a thread cannot break out of a loop around the launch
  forks_.emplace_back(var, axis);
  {
    CodeBuilder::Scope scope(b_);
    b_.Bind(threads.var, {var});
    // A local buffer of a block with a part per thread is shared; other local memory is private to
    // each thread.
    for (const uint32_t slot : local_) b_.Emit({OwnMemoryStep, 0, slot});
    Sequence(stmts);
  }
  forks_.pop_back();
  outside.swap(loops_);
  b_.Emit({EndStep});
  b_.at(at).c = b_.here();
}

// A thread loop inside a launch of the same axis uses the threads of the launch. The body runs
// between two barriers, so that it stays ordered with the code around it.
bool StmtCompiler::ReuseThreads(const ir::ForStmt& s) {
  if (launched_.count(s.thread) == 0) return false;
  const bool synchronizes = analysis::ThreadAxis(s.thread) >= 0;
  if (synchronizes) b_.Emit({BarrierStep});
  CompileRelaunch(s.var, s.thread, {&s.body, 1});
  if (synchronizes) b_.Emit({BarrierStep});
  return true;
}

// Compiles a nested launch of an axis that is already launched, whose variable equals the outer
// one. False when the axis is not launched yet.
bool StmtCompiler::CompileRelaunch(PrimRef var, const std::string& tag, Stmts stmts) {
  const auto launch = launched_.find(tag);
  if (launch == launched_.end()) return false;
  CodeBuilder::Scope scope(b_);
  b_.Bind(var, {CompileScalarExpr(b_, launch->second)});
  Sequence(stmts);
  return true;
}

void StmtCompiler::Attr(const ir::AttrStmt& s, Stmts stmts) {
  if (const std::optional<ir::ScopeId> id = ir::ScopeIdOf(s)) {
    b_.Unsupported(
        "run-unsupported-statement",
        absl::StrCat(
            "T.", id->function,
            " does not specify the launch dimensions; supported: T.launch_thread, and T.cta_id, "
            "T.thread_id, T.warp_id and T.lane_id with constant extents in one statement"));
    return;
  }
  if (const auto [var, tag] = ir::ThreadsOf(s); var != nullptr) {
    if (CompileRelaunch(var, tag, stmts)) return;
    const Reg extent = CompileScalarExpr(b_, s.value);
    launched_[tag] = var;
    RunThreads({var, b_.ConstantReg(0), extent, tag}, stmts);
    launched_.erase(tag);
    return;
  }
  const PrimRef* reducer = s.key == "reduce_scope" ? s.node.As<PrimRef>() : nullptr;
  const auto* lambda = reducer == nullptr ? nullptr : (*reducer)->As<ir::CommReducer>();
  if (lambda != nullptr) reducers_.push_back(lambda);
  Sequence(stmts);
  if (lambda != nullptr) reducers_.pop_back();
}

uint32_t StmtCompiler::OtherAxes(absl::Span<const PrimRef> reduced) const {
  uint32_t mask = 0;
  for (const auto& [var, axis] : forks_) {
    bool is_reduced = false;
    for (PrimRef thread : reduced) {
      const Lanes* lanes = b_.Find(thread);
      is_reduced = is_reduced || (lanes != nullptr && (*lanes)[0] == var);
    }
    if (!is_reduced) mask |= uint32_t{1} << axis;
  }
  return mask;
}

// tvm_thread_allreduce(n, values..., cond, results..., threads...): every thread gets the combined
// values of all threads of the named axes, in order of index.
void StmtCompiler::Allreduce(const ir::Intrinsic& n) {
  const auto* count = n.args[0]->As<ir::IntImm>();
  const size_t values = count == nullptr ? 0 : static_cast<size_t>(count->value);
  if (reducers_.empty() || values == 0 || values > 64 || n.args.size() < 2 + 2 * values ||
      reducers_.back()->identities.size() != values) {
    b_.Unsupported("run-unsupported-intrinsic",
                   "tvm_thread_allreduce must be inside a T.attr(T.comm_reducer(...), "
                   "\"reduce_scope\", ...) with a reducer for the same number of values");
    return;
  }
  const ir::CommReducer& reducer = *reducers_.back();
  const absl::Span<const PrimRef> args = n.args;
  std::vector<uint32_t> published;
  for (size_t v = 0; v <= values; ++v) published.push_back(CompileScalarExpr(b_, args[1 + v]));
  b_.Emit({PublishStep, 0, 0, b_.AddOperands(published), static_cast<uint32_t>(published.size())});
  std::vector<uint32_t> sums;
  std::vector<uint32_t> others;
  CodeBuilder::Scope scope(b_);
  for (size_t v = 0; v < values; ++v) {
    sums.push_back(b_.NewReg());
    others.push_back(b_.NewReg());
    b_.Emit({MoveStep, sums[v], CompileScalarExpr(b_, reducer.identities[v])});
    b_.Bind(reducer.lhs[v], {sums[v]});
    b_.Bind(reducer.rhs[v], {others[v]});
  }
  b_.Emit({ReduceStartStep});
  const uint32_t next =
      b_.Emit({ReduceNextStep, 0, 0, b_.AddOperands(others), static_cast<uint32_t>(values),
               OtherAxes(args.subspan(2 + 2 * values))});
  std::vector<Reg> combined;
  for (PrimRef result : reducer.results) {
    // Copied, because a result may be an operand of the moves below.
    const Reg value = CompileScalarExpr(b_, result);
    combined.push_back(b_.NewReg());
    b_.Emit({MoveStep, combined.back(), value});
  }
  for (size_t v = 0; v < values; ++v) b_.Emit({MoveStep, sums[v], combined[v]});
  b_.Emit({JumpStep, 0, next});
  b_.at(next).a = b_.here();
  for (size_t v = 0; v < values; ++v) {
    const PrimRef target = args[2 + values + v];
    if (const auto* load = target->As<ir::Load>()) {
      CodeBuilder::Scope inner(b_);
      b_.Bind(reducer.lhs[v], {sums[v]});
      CompileStore(b_, load->buffer, load->indices, reducer.lhs[v], nullptr);
      continue;
    }
    Instr store{StoreThroughStep, 0, CompileScalarExpr(b_, target), sums[v]};
    store.type = args[1 + v]->dtype().element();
    b_.Emit(store);
  }
}

}  // namespace lathe::interp
