// Lists the graph passes by name, for `--apply` and for the pipeline.
#ifndef LATHE_DRIVER_GRAPH_PASSES_H_
#define LATHE_DRIVER_GRAPH_PASSES_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/transform/pass.h"

namespace lathe::driver {

// Returns all graph passes, sorted by name. Each pass derives the infos of the module again; errors
// found by that are in the diagnostics of the context.
absl::Span<const Pass> GraphPasses();

// Returns the pass, or null for an unknown name.
const Pass* FindGraphPass(absl::string_view name);

// Runs the passes in `list` ("a,b") in that order, and verifies the graph after each. Fails for an
// unknown name.
absl::Status ApplyPasses(PassContext& context, absl::string_view list, ir::Module& module);

// Fails if `list` names a pass that is neither a graph pass nor in `others`.
absl::Status CheckPassNames(absl::string_view list,
                            absl::Span<const absl::string_view> others = {});

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_GRAPH_PASSES_H_
