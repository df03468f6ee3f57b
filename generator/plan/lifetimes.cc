#include "generator/plan/lifetimes.h"

#include "absl/container/flat_hash_map.h"
#include "generator/support/match.h"

namespace lathe::plan {
namespace {

// Calls `visit` with the tensors that the step itself uses.
template <typename F>
void ForEachTensor(const ir::Step& step, F visit) {
  const auto part = [&](const ir::Part& p) {
    if (const auto* id = std::get_if<ir::TensorId>(&p)) visit(*id);
  };
  Match(
      step.node,
      [&](const ir::KernelStep& s) {
        for (ir::TensorId id : s.tensors) visit(id);
      },
      [&](const ir::CopyStep& s) {
        visit(s.from);
        visit(s.to);
      },
      [](const ir::DefineStep&) {}, [](const ir::AssignStep&) {},
      [&](const ir::ReadStep& s) { visit(s.tensor); }, [](const ir::CheckStep&) {},
      [&](const ir::AssertStep& s) { part(s.cond); },
      [&](const ir::BranchStep& s) { part(s.cond); },
      [&](const ir::CallStep& s) {
        for (const ir::Part& p : s.inputs) part(p);
        for (const ir::Part& p : s.outputs) part(p);
      });
}

}  // namespace

std::vector<Life> Lifetimes(const ir::Program& program, const ir::Routine& routine) {
  std::vector<Life> lives;
  absl::flat_hash_map<ir::TensorId, size_t> index;
  int number = 0;
  ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
    ForEachTensor(step, [&](ir::TensorId used) {
      const ir::TensorId id = program.Whole(used);
      if (program.tensors[id].home != ir::Home::kArena) return;
      const auto [it, is_new] = index.try_emplace(id, lives.size());
      if (is_new) lives.push_back({id, number, number});
      lives[it->second].last = number;
    });
    ++number;
  });
  return lives;
}

std::vector<CallAt> CallsOf(const ir::Routine& routine) {
  std::vector<CallAt> calls;
  int number = 0;
  ir::ForEachStep(routine.steps, [&](const ir::Step& step) {
    if (const auto* call = std::get_if<ir::CallStep>(&step.node)) calls.push_back({call, number});
    ++number;
  });
  return calls;
}

}  // namespace lathe::plan
