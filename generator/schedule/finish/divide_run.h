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

// Fails, and reports to `diags`, if a routine has steps whose local variables later steps need: a
// part only keeps the arena. Also fails for routines that loop, that other routines call, and whose
// memory is allocated during a run.
absl::Status CheckSeparable(const ir::Program& program, Diagnostics& diags);

// Returns parts of one computing step each or, with `most_macs`, of as many as have at most this
// number of multiply-accumulate operations. Requires CheckSeparable. Fails with ResourceExhausted
// if a step alone has more.
absl::StatusOr<RunParts> DivideRuns(const ir::Program& program, std::optional<int64_t> most_macs);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_FINISH_DIVIDE_RUN_H_
