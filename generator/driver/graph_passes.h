// The graph passes by name: what `--apply` takes, and what the pipeline's rows are made of.
#ifndef LATHE_DRIVER_GRAPH_PASSES_H_
#define LATHE_DRIVER_GRAPH_PASSES_H_

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "generator/transform/pass.h"

namespace lathe::driver {

// Sorted by name. Each leaves the infos of the module derived anew; a problem that only shows then
// is in the context's diagnostics.
absl::Span<const Pass> GraphPasses();

// Null when there is none of that name.
const Pass* FindGraphPass(absl::string_view name);

// Runs the passes that `list` names, "a,b", in that order, and verifies the graph after each.
// Fails when one is not known.
absl::Status ApplyPasses(PassContext& context, absl::string_view list, ir::Module& module);

// Fails when `list` names a pass that is neither in the table nor among `others`.
absl::Status CheckPassNames(absl::string_view list,
                            absl::Span<const absl::string_view> others = {});

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_GRAPH_PASSES_H_
