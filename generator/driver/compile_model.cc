#include "generator/driver/compile_model.h"

#include <utility>

#include "generator/driver/load_program.h"
#include "generator/driver/options/dim_option.h"
#include "generator/driver/options/extern_files.h"
#include "generator/driver/options/fusion_options.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/name_option.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/read_source.h"
#include "generator/driver/options/target_option.h"
#include "generator/driver/origin.h"
#include "generator/driver/pipeline.h"

namespace lathe::driver {
namespace {

emit::Weights WeightsOf(absl::string_view name) {
  return name == "incbin"     ? emit::Weights::kIncbin
         : name == "external" ? emit::Weights::kExternal
         : name == "decoded"  ? emit::Weights::kDecoded
                              : emit::Weights::kWords;
}

}  // namespace

ExitCode CompileModel(const Invocation& in, CompiledModel& compiled) {
  const auto chosen = ReadTargetOption(in.args, "generic-c99");
  if (!chosen.ok()) return in.report->Usage(chosen.status().message());
  compiled.target = chosen->target;
  compiled.gpus = chosen->gpus;
  if (compiled.gpus) {
    const absl::Status fits = CheckOptionsForGpus(in.args);
    if (!fits.ok()) return in.report->Usage(fits.message());
  }
  const auto sizes = ReadDimOptions(in.args);
  if (!sizes.ok()) return in.report->Usage(sizes.status().message());
  const auto externs = ReadExternsOption(in.args);
  if (!externs.ok()) return in.report->Usage(externs.status().message());
  const auto numerics = ReadNumerics(in.args);
  if (!numerics.ok()) return in.report->Usage(numerics.status().message());
  const auto pools = ReadPoolOptions(in.args);
  if (!pools.ok()) return in.report->Usage(pools.status().message());
  const bool has_targets = compiled.gpus || (compiled.package && compiled.package->has_targets);
  auto name = ReadNameOption(in.args, compiled.gpus.has_value(), has_targets);
  if (!name.ok()) return in.report->Usage(name.status().message());
  compiled.name = *std::move(name);
  compiled.sizes = *sizes;
  auto read = ReadModelOptions(in.args, *numerics);
  if (!read.ok()) return in.report->Usage(read.status().message());
  read->files = &compiled.read;
  auto file = ReadSource(in.args.operands[0], in.io);
  if (!file.ok()) return in.report->EnvironmentError(file.status());
  compiled.file.emplace(*std::move(file));
  const absl::Status liked = ReadLikeOption(in.args, *compiled.file, *read);
  if (!liked.ok()) return in.report->InputError(liked);
  auto params = ReadParamsOption(in.args);
  if (!params.ok()) return in.report->InputError(params.status());
  if (!params->path.empty()) compiled.read.push_back(params->path);
  const bool small = PrefersFlash(in.args);
  Diagnostics diags;
  NotChecked not_checked;
  auto program = LoadProgram(compiled.context, *compiled.file,
                             {*read, *sizes, *numerics, compiled.target, *std::move(params), small},
                             diags, not_checked);
  if (!program.ok()) return in.report->InputError(program.status());
  if (!*program) return in.report->Add(diags, {not_checked});
  compiled.loaded = std::move((*program)->module);
  compiled.numerics = std::move((*program)->numerics);
  if (const auto& stream = (*program)->stream) {
    compiled.stream =
        MakeStreamReport(compiled.context, *stream, *compiled.target, (*program)->ranges);
  }
  auto module = PrepareForLowering(compiled.context, *compiled.loaded, *compiled.target,
                                   (*program)->ranges, diags, small);
  if (!module.ok()) return in.report->Usage(module.status().message());
  if (diags.has_errors()) return in.report->Add(diags);
  compiled.module.emplace(*std::move(module));

  emit::EmitOptions emit_options;
  emit_options.externs = *externs;
  emit_options.weights = WeightsOf(compiled.weights);
  emit_options.selftest = compiled.golden;
  emit_options.numerics = compiled.numerics;
  emit_options.steps = compiled.steps;
  if (!compiled.command.empty()) {
    auto origin = OriginLines(compiled.command, *compiled.file, compiled.read);
    if (!origin.ok()) return in.report->EnvironmentError(origin.status());
    emit_options.origin = *std::move(origin);
  }
  if (compiled.stream) {
    for (const StreamedInputReport& input : compiled.stream->inputs) {
      emit_options.stream.push_back(DescribeInput(input));
    }
  }
  GenerateOptions options{ReadFusion(in.args), *pools, emit_options};
  if (compiled.gpus) options.gpus = &*compiled.gpus;
  auto model = GenerateModel(compiled.context, *compiled.module, *compiled.target, compiled.name,
                             options, diags);
  const ExitCode code = in.report->Add(diags);
  if (code != kExitOk) return code;
  if (!model.ok()) return in.report->InputError(model.status());
  compiled.model = *std::move(model);
  compiled.emitted_with = emit_options;
  return kExitOk;
}

}  // namespace lathe::driver
