#include "generator/driver/measure_memory.h"

#include <utility>

#include "generator/driver/generate_model.h"
#include "generator/driver/load_program.h"
#include "generator/driver/model_report.h"
#include "generator/driver/pipeline.h"
#include "generator/support/source.h"
#include "generator/support/status.h"

namespace lathe::driver {

absl::StatusOr<MemoryNeed> MeasureMemory(const std::string& bytes, const Target& target,
                                         Diagnostics& diags) {
  const SourceFile file("quantized.onnx", bytes);
  ir::Context context;
  NotChecked not_checked;
  LoadRequest request;
  request.numerics = Numerics::kFused;
  request.target = &target;
  LATHE_ASSIGN_OR_RETURN(auto program, LoadProgram(context, file, request, diags, not_checked));
  if (!program) return absl::InternalError("the quantized model has errors");
  LATHE_ASSIGN_OR_RETURN(
      const ir::Module module,
      PrepareForLowering(context, std::move(program->module), target, program->ranges, diags));
  LATHE_ASSIGN_OR_RETURN(const GeneratedModel model,
                         GenerateModel(context, module, target, kGeneratedName, {}, diags));
  const ModelReport report = MakeModelReport(model, target, std::nullopt);
  return MemoryNeed{report.weights, report.ram.total()};
}

}  // namespace lathe::driver
