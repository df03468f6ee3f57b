#include "generator/schedule/accesses/program_accesses.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/analysis/arithmetic/fact_stack.h"
#include "generator/ir/each_stmt.h"
#include "generator/nest/nest_call.h"
#include "generator/schedule/accesses/form_accesses.h"
#include "generator/schedule/accesses/launch_accesses.h"
#include "generator/schedule/cuda/bind_threads.h"

namespace lathe::schedule {
namespace {

using ir::BinaryOp;
using ir::PrimRef;

class ProgramCalls {
 public:
  ProgramCalls(ir::Context& context, const ir::Program& program,
               const IdVector<ir::KernelId, ir::GridLaunches>& launches,
               absl::FunctionRef<void(ir::KernelId, const AccessWalk&)> visit)
      : ir_(context), program_(program), launches_(launches), visit_(visit) {}

  void Run() {
    for (int32_t i = 0; i < std::ssize(program_.routines); ++i) {
      const ir::Routine& routine = program_.routines[ir::RoutineId{i}];
      analysis::FactStack facts(ir_);
      for (const ir::Range& range : routine.ranges) {
        facts.AddRange(range.var, {range.low, range.high});
      }
      for (const ir::UpperBound& most : routine.upper_bounds) {
        facts.Assume(ir_.Make(BinaryOp::kLe, Wide(most.var), Wide(most.most)));
      }
      Steps(routine.steps, facts);
    }
  }

 private:
  PrimRef Wide(PrimRef e) { return ir_.MakeCast(ir::DType::Int(64), e); }

  void Steps(const ir::Steps& steps, analysis::FactStack& facts) {
    const auto mark = facts.Here();
    for (const ir::Step& step : steps) {
      if (const auto* check = std::get_if<ir::CheckStep>(&step.node)) facts.Assume(check->cond);
      if (const auto* call = std::get_if<ir::KernelStep>(&step.node)) {
        const auto inside = facts.Here();
        Call(*call, facts);
        facts.RestoreTo(inside);
      }
      if (const auto* branch = std::get_if<ir::BranchStep>(&step.node)) {
        const auto* cond = std::get_if<PrimRef>(&branch->cond);
        const auto before = facts.Here();
        if (cond != nullptr) facts.Assume(*cond);
        Steps(branch->then_steps, facts);
        facts.RestoreTo(before);
        if (cond != nullptr) facts.AssumeNot(*cond);
        Steps(branch->else_steps, facts);
        facts.RestoreTo(before);
      }
    }
    facts.RestoreTo(mark);
  }

  // Calls of a kernel with equal sizes and equal facts need one proof. Kernels without sizes are
  // visited once.
  bool IsNew(const ir::KernelStep& call) {
    const bool plain = call.scalars.empty();
    return !plain || seen_.insert(call.kernel).second;
  }

  void Call(const ir::KernelStep& call, analysis::FactStack& facts) {
    const ir::Kernel& kernel = program_.kernels[call.kernel];
    AccessWalk walk(ir_, facts);
    for (size_t i = 0; i < kernel.scalars.size() && i < call.scalars.size(); ++i) {
      facts.AddBinding(kernel.scalars[i], call.scalars[i]);
    }
    walk.Need(kernel.buffers.size() == call.tensors.size(), "a tensor for each buffer");
    for (size_t i = 0; i < kernel.buffers.size() && i < call.tensors.size(); ++i) {
      Given(*kernel.buffers[i], program_.tensors[call.tensors[i]], facts, walk);
      walk.AddMemory(kernel.buffers[i]);
    }
    facts.ClearElementBounds();
    if (IsNew(call)) Kernel(call.kernel, kernel, facts, walk);
    visit_(call.kernel, walk);
  }

  void Kernel(ir::KernelId id, const ir::Kernel& kernel, analysis::FactStack& facts,
              AccessWalk& walk) {
    const bool has_user_loops = nest::HasUserLoops(kernel.func);
    if (has_user_loops && BindsThreads(kernel.func.body)) return;
    if (has_user_loops) walk.TrustPointers();
    const auto mark = facts.Here();
    facts.ClearMutable();
    if (has_user_loops) facts.MarkAllMutable();  // may write through unknown names
    ir::ForEachStmt(kernel.func.body, [&](ir::StmtRef stmt) {
      if (const auto* store = stmt->As<ir::StoreStmt>()) facts.MarkMutable(store->buffer->data);
      if (stmt->As<ir::EvaluateStmt>() != nullptr) facts.MarkAllMutable();
    });
    walk.Stmt(kernel.func.body);
    walk.LeaveStatements();
    facts.RestoreTo(mark);
    if (kernel.form) FormAccesses(ir_, *kernel.form, facts, walk);
    if (id.index >= std::ssize(launches_)) return;
    for (const ir::GridLaunch& launch : launches_[id]) {
      // A guarded launch does nothing if an earlier assertion failed, so the assertions of all
      // earlier launches hold in it.
      if (!launch.guarded) facts.RestoreTo(mark);
      const auto before = facts.Here();
      LaunchAccesses(ir_, launch, facts, walk);
      const auto* grid = std::get_if<ir::GridStride>(&launch.form);
      if (grid == nullptr || !grid->axes.empty()) facts.RestoreTo(before);
    }
    facts.RestoreTo(mark);
  }

  // Checks that the tensor has as many elements as the buffer it is passed for.
  void Given(const ir::Buffer& buffer, const ir::Tensor& tensor, analysis::FactStack& facts,
             AccessWalk& walk) {
    bool fine = buffer.dtype == tensor.dtype && buffer.shape.size() == tensor.shape.size() &&
                buffer.strides.empty();
    for (size_t d = 0; fine && d < buffer.shape.size(); ++d) {
      const PrimRef dim = facts.Resolved(Wide(buffer.shape[d]));
      fine = dim == tensor.shape[d] || facts.IsAtMost(dim, Wide(tensor.shape[d]));
    }
    if (!fine) {
      const auto bits = [](ir::DType t) { return int64_t{t.bits} * t.lanes; };
      PrimRef has = ir_.Int(bits(tensor.dtype)), takes = ir_.Int(bits(buffer.dtype));
      for (PrimRef dim : tensor.shape) has = ir_.Make(BinaryOp::kMul, has, Wide(dim));
      takes = ir_.Make(BinaryOp::kMul, takes, walk.SizeOf(buffer));
      if (buffer.elem_offset != nullptr) {
        const PrimRef offset =
            ir_.Make(BinaryOp::kMul, Wide(buffer.elem_offset), ir_.Int(bits(buffer.dtype)));
        takes = ir_.Make(BinaryOp::kAdd, takes, offset);
      }
      fine = facts.IsAtMost(takes, has);
    }
    walk.Need(fine, absl::StrCat("'", tensor.name, "' of [", Text(tensor.shape), "] is given for '",
                                 buffer.name, "' of [", Text(buffer.shape), "]"));
  }

  static std::string Text(const std::vector<PrimRef>& list) {
    return absl::StrJoin(list, ", ",
                         [](std::string* out, PrimRef e) { out->append(ir::ToString(e)); });
  }

  ir::Context& ir_;
  const ir::Program& program_;
  const IdVector<ir::KernelId, ir::GridLaunches>& launches_;
  absl::FunctionRef<void(ir::KernelId, const AccessWalk&)> visit_;
  std::set<ir::KernelId> seen_;
};

}  // namespace

void ForEachKernelCall(ir::Context& context, const ir::Program& program,
                       const IdVector<ir::KernelId, ir::GridLaunches>& launches,
                       absl::FunctionRef<void(ir::KernelId, const AccessWalk&)> visit) {
  ProgramCalls(context, program, launches, visit).Run();
}

}  // namespace lathe::schedule
