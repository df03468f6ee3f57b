// What the templates of CUDA read of one exported function: its structs, checks and the call of its
// routine.
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

// `text` is the routine as a function of its own; `before` what lies before a run's own part of its
// workspace, or of each device's. `shown` gets the
// headers that examples need to print what comes out, `emitted` the exported function.
absl::StatusOr<TemplateValue::Dict> CudaEntryView(Model& model, NeedPrinter& needs,
                                                  ir::RoutineId id, const RoutineText& text,
                                                  const std::vector<int64_t>& before,
                                                  std::set<std::string>& shown,
                                                  EmittedModel& emitted);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_CUDA_ENTRY_VIEW_H_
