#include "generator/driver/make_model.h"

#include <utility>

#include "generator/driver/load_program.h"
#include "generator/driver/options/dim_option.h"
#include "generator/driver/options/extern_files.h"
#include "generator/driver/options/name_option.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/outputs_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/read_source.h"
#include "generator/driver/options/target_option.h"
#include "generator/driver/pipeline.h"

namespace lathe::driver {
namespace {

emit::Weights WeightsOf(absl::string_view name) {
  return name == "incbin"     ? emit::Weights::kIncbin
         : name == "external" ? emit::Weights::kExternal
                              : emit::Weights::kWords;
}

}  // namespace

ExitCode MakeModel(const Invocation& in, MadeModel& made) {
  const auto chosen = ReadTargetOption(in.args, "generic-c99");
  if (!chosen.ok()) return in.report->Usage(chosen.status().message());
  made.target = chosen->target;
  made.gpus = chosen->gpus;
  if (made.gpus) {
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
  auto name = ReadNameOption(in.args, made.gpus.has_value(), made.gpus || made.with_cmake);
  if (!name.ok()) return in.report->Usage(name.status().message());
  made.name = *std::move(name);
  made.sizes = *sizes;
  auto read = ReadModelOptions(in.args, *numerics);
  if (!read.ok()) return in.report->Usage(read.status().message());
  read->files = &made.read;
  auto file = ReadSource(in.args.operands[0], in.io);
  if (!file.ok()) return in.report->Trouble(file.status());
  made.file.emplace(*std::move(file));
  const absl::Status liked = ReadLikeOption(in.args, *made.file, *read);
  if (!liked.ok()) return in.report->Refuse(liked);
  Diagnostics diags;
  NotChecked left_out;
  auto program = LoadProgram(made.context, *made.file, {*read, *sizes, *numerics, made.target, ""},
                             diags, left_out);
  if (!program.ok()) return in.report->Usage(program.status().message());
  if (!*program) return in.report->Add(diags, {left_out});
  made.loaded = std::move((*program)->module);
  made.numerics = std::move((*program)->numerics);
  auto module = PrepareForC(made.context, *made.loaded, *made.target, (*program)->ranges, diags);
  if (!module.ok()) return in.report->Usage(module.status().message());
  if (diags.has_errors()) return in.report->Add(diags);
  made.module.emplace(*std::move(module));

  emit::EmitOptions emit_options;
  emit_options.externs = *externs;
  emit_options.weights = WeightsOf(made.weights);
  emit_options.selftest = made.golden;
  emit_options.numerics = made.numerics;
  GenerateOptions options{!in.args.Has("--no-fuse"), *pools, emit_options};
  if (made.gpus) options.gpus = &*made.gpus;
  auto model = GenerateModel(made.context, *made.module, *made.target, made.name, options, diags);
  const ExitCode code = in.report->Add(diags);
  if (code != kExitOk) return code;
  if (!model.ok()) return in.report->Refuse(model.status());
  made.model = *std::move(model);
  return kExitOk;
}

}  // namespace lathe::driver
