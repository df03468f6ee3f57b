#include "tests/compiled/compiled_program.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/driver/load_program.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/validate/board_program.h"
#include "generator/driver/validate/cuda_emulation.h"
#include "generator/driver/validate/expected_failure.h"
#include "generator/driver/validate/host_program.h"
#include "generator/driver/validate/run_inputs.h"
#include "generator/interp/interpreter.h"
#include "generator/support/status.h"
#include "generator/target/gpu.h"

namespace lathe::compiled {
namespace {

// The first error, and what kind it is.
absl::Status Refused(const Diagnostics& diags) {
  for (const Diagnostic& d : diags.all()) {
    if (d.severity != Severity::kError) continue;
    if (d.blame == Blame::kUnsupported) return absl::UnimplementedError(d.message);
    return absl::InternalError(absl::StrCat("compiling reports: ", Render(d)));
  }
  return absl::OkStatus();
}

}  // namespace

namespace {

// `function` of `prepared`, called with `args`, which gives `value`.
const emit::ApiFunction* FindFunction(const driver::GeneratedModel& model,
                                      const std::string& function) {
  for (const emit::ApiFunction& f : model.functions) {
    if (model.program.routines[f.routine].name == function) return &f;
  }
  return nullptr;
}

absl::StatusOr<CompiledProgram> Finish(const driver::GeneratedModel& model,
                                       const std::string& function, const std::string& name,
                                       const std::vector<interp::Value>& args,
                                       const interp::Value& value, bool on_gpu = false) {
  const emit::ApiFunction* api = FindFunction(model, function);
  if (api == nullptr) {
    return absl::InternalError(absl::StrCat("'", function, "' is not among the functions in C"));
  }
  CompiledProgram program;
  program.name = name;
  program.wanted = driver::PartsOfResult(*api, value);
  LATHE_ASSIGN_OR_RETURN(program.inputs, driver::PartsOfCall(model, *api, args));
  if (program.inputs.size() != api->inputs.size() || program.wanted.size() != api->outputs.size()) {
    return absl::InternalError(absl::StrCat(
        "the generated function has ", api->inputs.size(), " inputs and ", api->outputs.size(),
        " outputs; the program has ", program.inputs.size(), " and ", program.wanted.size()));
  }
  const auto files = on_gpu ? driver::EmulationFiles : driver::HostFiles;
  LATHE_ASSIGN_OR_RETURN(program.files, files(model, *api, name, program.inputs, program.wanted));
  return program;
}

absl::StatusOr<driver::GeneratedModel> Generate(ir::Context& context, const ir::Module& module,
                                                const std::string& name, const Target& target,
                                                const driver::GenerateOptions& options,
                                                Memory memory = Memory::kPlanned,
                                                const SizeRanges& ranges = {}) {
  Diagnostics diags;
  const auto prepared = driver::PrepareForLowering(context, module, target, ranges, diags);
  if (!prepared.ok()) return prepared.status();
  LATHE_RETURN_IF_ERROR(Refused(diags));
  auto model = driver::GenerateModel(context, *prepared, target, name, options, diags);
  LATHE_RETURN_IF_ERROR(Refused(diags));
  if (!model.ok() || memory == Memory::kPlanned) return model;
  return driver::GuardModel(context, *model, target, name, options, diags);
}

}  // namespace

absl::StatusOr<CompiledProgram> Compile(ir::Context& context, const ir::Module& module,
                                        const random::SizesByName& sizes, const std::string& name,
                                        absl::string_view target,
                                        const driver::GenerateOptions& options, Memory memory) {
  const bool on_gpu = options.gpus != nullptr;
  // Compiling may refuse what it has found out to fail, as the evaluation then does.
  const auto model =
      Generate(context, module, name, on_gpu ? CudaTarget() : *FindTarget(target), options, memory);
  const random::Outcome outcome = random::RunMain(context, module, sizes);
  if (!outcome.value) return absl::OutOfRangeError(outcome.why);
  LATHE_RETURN_IF_ERROR(model.status());
  interp::Interpreter interpreter(context, module);
  LATHE_ASSIGN_OR_RETURN(const auto args, random::MainInputs(interpreter, module, sizes));
  return Finish(*model, "main", name, args, *outcome.value, on_gpu);
}

absl::StatusOr<CompiledProgram> CompileBounded(ir::Context& context, const ir::Module& module,
                                               const random::SizesByName& sizes,
                                               const SizeRanges& ranges, const std::string& name,
                                               const Target& target, const Board* board,
                                               const driver::GenerateOptions& options) {
  const bool on_gpu = options.gpus != nullptr;
  ir::Module bound = module;
  Diagnostics diags;
  LATHE_RETURN_IF_ERROR(driver::BindSizes(context, ranges, bound, diags));
  absl::StatusOr<driver::GeneratedModel> model = absl::UnknownError("");
  if (!diags.has_errors()) {
    (void)driver::ApplyNumerics(context, driver::Numerics::kFused, target, bound, diags);
  }
  const absl::Status refused = Refused(diags);
  model = refused.ok() ? Generate(context, bound, name, target, options, Memory::kPlanned, ranges)
                       : absl::StatusOr<driver::GeneratedModel>(refused);
  const random::Outcome outcome = random::RunMain(context, module, sizes);
  if (!outcome.value && (!outcome.fails || !model.ok())) return absl::OutOfRangeError(outcome.why);
  LATHE_RETURN_IF_ERROR(model.status());
  interp::Interpreter interpreter(context, module);
  LATHE_ASSIGN_OR_RETURN(const auto args, random::MainInputs(interpreter, module, sizes));
  if (outcome.value && board == nullptr) {
    return Finish(*model, "main", name, args, *outcome.value, on_gpu);
  }
  if (on_gpu) return absl::OutOfRangeError(outcome.why);
  const emit::ApiFunction* api = FindFunction(*model, "main");
  if (api == nullptr) return absl::InternalError("'main' is not among the functions in C");
  CompiledProgram program;
  program.name = name;
  program.fails = outcome.why;
  LATHE_ASSIGN_OR_RETURN(program.inputs, driver::PartsOfCall(*model, *api, args));
  if (outcome.value) {
    program.wanted = driver::PartsOfResult(*api, *outcome.value);
  } else {
    auto room = driver::ReserveOutputs(context, *model, *api, program.inputs);
    if (!room.ok()) return absl::OutOfRangeError(room.status().message());
    program.wanted = *std::move(room);
  }
  if (program.inputs.size() != api->inputs.size() || program.wanted.size() != api->outputs.size()) {
    return absl::InternalError("the generated function takes or gives something else");
  }
  LATHE_ASSIGN_OR_RETURN(
      program.files,
      board == nullptr
          ? driver::HostFiles(*model, *api, name, program.inputs, program.wanted)
          : driver::BoardFiles(*model, *api, name, program.inputs, program.wanted, *board));
  return program;
}

namespace {

// Whether the function gives `value` in other memory too.
bool HoldsOnlyWhatWasWritten(ir::Context& context, const ir::Module& module, ir::GlobalId function,
                             const driver::RunOptions& options, interp::Options settings,
                             const interp::Value& value) {
  settings.fresh_memory = 0x55;
  interp::Interpreter interpreter(context, module, std::move(settings));
  auto args = driver::CollectInputs(interpreter, function, options);
  if (!args.ok()) return false;
  Diagnostics diags;
  const auto again = interpreter.Run(function, *std::move(args), diags);
  if (!again.ok()) return false;
  const std::vector<driver::PartBytes> parts = driver::PartsOfValue(value);
  const std::vector<driver::PartBytes> others = driver::PartsOfValue(*again);
  return std::equal(parts.begin(), parts.end(), others.begin(), others.end(),
                    [](const auto& a, const auto& b) { return a.bytes == b.bytes; });
}

}  // namespace

absl::StatusOr<CompiledProgram> CompileFunction(ir::Context& context, const ir::Module& module,
                                                const std::string& function,
                                                const std::string& name,
                                                const interp::Options& settings,
                                                const driver::GenerateOptions& options) {
  const bool on_gpu = options.gpus != nullptr;
  driver::RunOptions run;
  run.func = function;
  run.seed = 1;
  interp::Interpreter interpreter(context, module, settings);
  const ir::GlobalId id = *module.Find(function);
  // What is run may write into its inputs.
  const auto args = driver::CollectInputs(interpreter, id, run);
  auto given = driver::CollectInputs(interpreter, id, run);
  if (!args.ok()) return absl::OutOfRangeError(args.status().message());
  if (!given.ok()) return absl::OutOfRangeError(given.status().message());
  Diagnostics diags;
  const auto value = interpreter.Run(id, *std::move(given), diags);
  if (!value.ok()) {
    return absl::OutOfRangeError(diags.all().empty() ? value.status().message()
                                                     : diags.all()[0].message);
  }
  if (!HoldsOnlyWhatWasWritten(context, module, id, run, settings, *value)) {
    return absl::OutOfRangeError("it depends on uninitialized memory: not all of it was written");
  }
  LATHE_ASSIGN_OR_RETURN(
      const driver::GeneratedModel model,
      Generate(context, module, name, on_gpu ? CudaTarget() : *FindTarget("generic-c99"), options));
  return Finish(model, function, name, *args, *value, on_gpu);
}

absl::StatusOr<CompiledProgram> CompileCall(ir::Context& context, const ir::Module& module,
                                            const std::string& function, const std::string& name,
                                            const std::vector<interp::Value>& args,
                                            const interp::Value& value,
                                            const driver::GenerateOptions& options) {
  LATHE_ASSIGN_OR_RETURN(const driver::GeneratedModel model,
                         Generate(context, module, name, *FindTarget("generic-c99"), options));
  return Finish(model, function, name, args, value);
}

}  // namespace lathe::compiled
