// Divides a run of each exported routine into parts that NAME_step executes one per call.
#ifndef LATHE_SCHEDULE_FINISH_DIVIDE_RUN_H_
#define LATHE_SCHEDULE_FINISH_DIVIDE_RUN_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/program.h"
#include "generator/support/diagnostics.h"

namespace lathe::schedule {

// The steps [begin, end) at the top of a routine.
struct RunPart {
  size_t begin = 0;
  size_t end = 0;
  std::optional<int64_t> macs;  // nullopt: sizes are dynamic
};
// The parts of each routine; none for a routine that is not exported.
using RunParts = IdVector<ir::RoutineId, std::vector<RunPart>>;

// Returns true for a step that computes or moves elements. The others declare and check.
bool Computes(const ir::Step& step);

// Checks that the runs of the exported routines can be divided. Fails, after reporting cannot-emit,
// if a step assigns a scalar, such as a size or a condition: only the arena lives from one part to
// the next. Also fails if a routine loops or is called by another one, if its values or memory have
// a dynamic structure, or if it uses several devices.
absl::Status CheckSeparable(const ir::Program& program, Diagnostics& diags);

// Returns the parts of each run. Without `most_macs`, a part has one computing step, or several if
// they use the same view. With it, a part has as many as together need at most this number of
// multiply-accumulate operations. Requires that CheckSeparable() succeeded. Fails with
// ResourceExhausted if a step alone needs more, or a number that is dynamic.
absl::StatusOr<RunParts> DivideRuns(const ir::Program& program, std::optional<int64_t> most_macs);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_DIVIDE_RUN_H_
