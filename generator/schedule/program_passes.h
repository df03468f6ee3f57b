// Lists and runs the program passes, which transform a Program between lowering and memory
// planning.
#ifndef LATHE_SCHEDULE_PROGRAM_PASSES_H_
#define LATHE_SCHEDULE_PROGRAM_PASSES_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/ir/context.h"
#include "generator/ir/device/launch.h"
#include "generator/ir/module.h"
#include "generator/ir/program.h"
#include "generator/schedule/fuse/fusion.h"
#include "generator/support/diagnostics.h"
#include "generator/target/gpu.h"
#include "generator/target/target.h"

namespace lathe::schedule {

// The targets that a pass runs for.
enum class PassTargets {
  kAll,
  kProcessors,  // C
  kGpus,        // CUDA
};

// The inputs of every program pass. No pass keeps state between runs.
struct ProgramContext {
  ir::Context& ir;
  const ir::Module& module;  // the source of the program
  const Target& target;
  const GpuChoice* gpus;  // null: the target is a processor
  Fusion fusion = {};
  Diagnostics& diags;
  // Written by "choose_launches": how each kernel runs on a GPU.
  IdVector<ir::KernelId, ir::GridLaunches> launches = {};
};

struct ProgramPass {
  absl::string_view name;  // the name of its file, and of `lathe inspect --after` and `--apply`
  PassTargets targets;
  absl::Status (*run)(ProgramContext&, ir::Program&);
};

// Returns the passes in the order in which they run.
absl::Span<const ProgramPass> ProgramPasses();

// The name of the program before the first pass, for `lathe inspect --after`.
inline constexpr absl::string_view kLowered = "lower";

// Runs the passes for the target up to and including `last`, or all if it is empty. Verifies the
// program before the first pass and after each.
absl::Status RunProgramPasses(ProgramContext& context, ir::Program& program,
                              absl::string_view last = {});

// Runs the pass `name` alone, whatever ran before, and verifies the program. Fails if there is no
// such pass or it is not for the target.
absl::Status RunProgramPass(ProgramContext& context, absl::string_view name, ir::Program& program);

}  // namespace lathe::schedule

#endif  // LATHE_SCHEDULE_PROGRAM_PASSES_H_
