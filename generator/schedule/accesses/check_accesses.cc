#include "generator/schedule/accesses/check_accesses.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/each_stmt.h"
#include "generator/schedule/accesses/check_indices.h"
#include "generator/schedule/accesses/program_accesses.h"
#include "generator/support/check.h"

namespace lathe::schedule {
namespace {

// Index assertions need not have a form that the proofs understand.
bool IsAsserted(const ir::Kernel& kernel) {
  bool found = false;
  ir::ForEachStmt(kernel.func.body, [&](ir::StmtRef stmt) {
    const auto* check = stmt->As<ir::AssertStmt>();
    found = found || (check != nullptr && check->kind == kIndexError);
  });
  return found;
}

// Visits the unproved accesses of the kernels that `looks_at` selects.
template <typename F>
std::vector<std::string> Unproved(ir::Context& context, const ir::Program& program,
                                  const IdVector<ir::KernelId, ir::GridLaunches>& launches,
                                  const F& looks_at) {
  std::vector<std::string> found;
  ForEachKernelCall(context, program, launches, [&](ir::KernelId id, const AccessWalk& walk) {
    const ir::Kernel& kernel = program.kernels[id];
    if (!looks_at(kernel)) return;
    for (const std::string& what : walk.unproved()) {
      found.push_back(absl::StrCat("kernel '", kernel.name, "': ", what));
    }
  });
  return found;
}

}  // namespace

std::vector<std::string> UnprovedAccesses(
    ir::Context& context, const ir::Program& program,
    const IdVector<ir::KernelId, ir::GridLaunches>& launches) {
  return Unproved(context, program, launches, [](const ir::Kernel&) { return true; });
}

void CheckAccesses(ir::Context& context, const ir::Program& program,
                   const IdVector<ir::KernelId, ir::GridLaunches>& launches) {
  const std::vector<std::string> unproved = Unproved(
      context, program, launches, [](const ir::Kernel& kernel) { return !IsAsserted(kernel); });
  if (unproved.empty()) return;
  FailCheck(__FILE__, __LINE__,
            absl::StrCat("an access is not proved to lie within its buffer: ",
                         absl::StrJoin(unproved, "; ")));
}

}  // namespace lathe::schedule
