#include "generator/driver/generate_model.h"

#include <utility>

#include "generator/bundle/runtime_files.h"
#include "generator/bundle/stamp_files.h"
#include "generator/lower/fuse.h"
#include "generator/lower/lower.h"
#include "generator/plan/plan.h"
#include "generator/support/status.h"

namespace lathe::driver {

absl::StatusOr<GeneratedModel> GenerateModel(ir::Context& context, const ir::Module& module,
                                             const Target& target, absl::string_view name,
                                             const GenerateOptions& options, Diagnostics& diags) {
  GeneratedModel generated;
  LATHE_ASSIGN_OR_RETURN(generated.program, lower::Lower(context, module, diags));
  if (options.fuse) lower::Fuse(context, generated.program);
  const plan::Plan plan = plan::PlanMemory(generated.program, target);
  LATHE_ASSIGN_OR_RETURN(
      emit::EmittedModel model,
      emit::EmitC(context, module, generated.program, plan, target, name, options.emit, diags));
  generated.functions = std::move(model.functions);
  generated.takes_table = model.takes_table;
  generated.files = std::move(model.files);
  for (emit::OutputFile& file : bundle::RuntimeFiles(model.runtime)) {
    generated.files.push_back(std::move(file));
  }
  bundle::StampFiles(generated.files);
  return generated;
}

}  // namespace lathe::driver
