// Builds the template data of one exported function: its structs, its argument checks, and the call
// of its routine.
#ifndef LATHE_EMIT_CUDA_CUDA_ENTRY_VIEW_H_
#define LATHE_EMIT_CUDA_CUDA_ENTRY_VIEW_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/emit/c/model_names.h"
#include "generator/emit/c/print_need.h"
#include "generator/emit/c/print_routine.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// Returns the template data of routine `id`. `needs` prints the functions that compute workspace
// sizes. `text` is the printed routine. `before` holds the bytes reserved at the start of each
// device's workspace; the memory of a run follows them. Adds the headers with which examples print
// the outputs to `shown`, and the description of the exported function to `emitted`. Fails if the
// workspace size depends on a scalar that is not an int64 size.
absl::StatusOr<TemplateValue::Dict> CudaEntryView(Model& model, NeedPrinter& needs,
                                                  ir::RoutineId id, const RoutineText& text,
                                                  const std::vector<int64_t>& before,
                                                  std::set<std::string>& shown,
                                                  EmittedModel& emitted);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_CUDA_ENTRY_VIEW_H_
