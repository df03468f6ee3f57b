#include "generator/lower/accesses/check_accesses.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/each_stmt.h"
#include "generator/lower/accesses/program_accesses.h"
#include "generator/lower/check_indices.h"
#include "generator/support/check.h"

namespace lathe::lower {
namespace {

// Assertions of indices need not be in a form that proofs know.
bool IsAsserted(const ir::Kernel& kernel) {
  bool found = false;
  ir::ForEachStmt(kernel.func.body, [&](ir::StmtRef stmt) {
    const auto* check = stmt->As<ir::AssertStmt>();
    found = found || (check != nullptr && check->kind == kIndexError);
  });
  return found;
}

}  // namespace

std::vector<std::string> UnprovedAccesses(
    ir::Context& context, const ir::Program& program,
    const IdVector<ir::KernelId, ir::GridLaunches>& launches) {
  std::vector<std::string> found;
  ForEachKernelCall(context, program, launches, [&](ir::KernelId id, const AccessWalk& walk) {
    for (const std::string& what : walk.unproved()) {
      found.push_back(absl::StrCat("kernel '", program.kernels[id].name, "': ", what));
    }
  });
  return found;
}

void CheckAccesses(ir::Context& context, const ir::Program& program,
                   const IdVector<ir::KernelId, ir::GridLaunches>& launches) {
  std::vector<std::string> unproved;
  ForEachKernelCall(context, program, launches, [&](ir::KernelId id, const AccessWalk& walk) {
    if (IsAsserted(program.kernels[id])) return;
    for (const std::string& what : walk.unproved()) {
      unproved.push_back(absl::StrCat("kernel '", program.kernels[id].name, "': ", what));
    }
  });
  if (unproved.empty()) return;
  FailCheck(__FILE__, __LINE__,
            absl::StrCat("an access is not proved to lie within its buffer: ",
                         absl::StrJoin(unproved, "; ")));
}

}  // namespace lathe::lower
