#include "tests/compiled/compiled_program.h"

#include "absl/strings/str_cat.h"
#include "generator/driver/host_program.h"
#include "generator/driver/pipeline.h"
#include "generator/interp/interpreter.h"
#include "generator/support/status.h"

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

absl::StatusOr<CompiledProgram> Compile(ir::Context& context, const ir::Module& module,
                                        const random::SizesByName& sizes, const std::string& name) {
  Diagnostics diags;
  const auto prepared = driver::PrepareForC(context, module, {}, diags);
  if (!prepared.ok()) return prepared.status();
  LATHE_RETURN_IF_ERROR(Refused(diags));
  const auto model =
      driver::GenerateModel(context, *prepared, *FindTarget("generic-c99"), name, {}, diags);
  LATHE_RETURN_IF_ERROR(Refused(diags));
  if (!model.ok()) return model.status();
  const emit::ApiFunction* main = nullptr;
  for (const emit::ApiFunction& f : model->functions) {
    if (model->program.routines[f.routine].name == "main") main = &f;
  }
  if (main == nullptr) return absl::InternalError("main is not among the generated functions");

  const random::Outcome outcome = random::RunMain(context, module, sizes);
  if (!outcome.value) return absl::OutOfRangeError(outcome.why);
  interp::Interpreter interpreter(context, module);
  LATHE_ASSIGN_OR_RETURN(const auto args, random::MainInputs(interpreter, module, sizes));
  CompiledProgram program;
  program.name = name;
  program.wanted = driver::PartsOfResult(*main, *outcome.value);
  LATHE_ASSIGN_OR_RETURN(program.inputs, driver::PartsOfCall(*model, *main, args));
  if (program.inputs.size() != main->inputs.size() ||
      program.wanted.size() != main->outputs.size()) {
    return absl::InternalError(absl::StrCat(
        "the generated function has ", main->inputs.size(), " inputs and ", main->outputs.size(),
        " outputs; the program has ", program.inputs.size(), " and ", program.wanted.size()));
  }
  LATHE_ASSIGN_OR_RETURN(program.files,
                         driver::HostFiles(*model, *main, name, program.inputs, program.wanted));
  return program;
}

}  // namespace lathe::compiled
