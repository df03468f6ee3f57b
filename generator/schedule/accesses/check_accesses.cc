#include "generator/schedule/accesses/check_accesses.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/schedule/accesses/program_accesses.h"
#include "generator/support/check.h"

namespace lathe::schedule {
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
  const std::vector<std::string> unproved = UnprovedAccesses(context, program, launches);
  if (unproved.empty()) return;
  FailCheck(__FILE__, __LINE__,
            absl::StrCat("an access is not proved to lie within its buffer: ",
                         absl::StrJoin(unproved, "; ")));
}

}  // namespace lathe::schedule
