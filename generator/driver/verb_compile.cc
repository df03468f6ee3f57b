#include "generator/driver/verb_compile.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/bundle/write_bundle.h"
#include "generator/driver/dim_option.h"
#include "generator/driver/extern_files.h"
#include "generator/driver/generate_model.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/read_source.h"
#include "generator/driver/report.h"
#include "generator/emit/c_names.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"
#include "generator/target/target.h"

namespace lathe::driver {
namespace {

constexpr Option kOptions[] = {
    {"--output", 'o', "FOLDER", "where the files go; made when it is not there (.)"},
    {"--name", 'n', "NAME", "the C prefix of every symbol and file (the model's file name)"},
    {"--dim", 'D', "NAME=N", "compile for this value of a shape variable"},
    {"--externs", 0, "link|table", "functions from outside: linked, or given to init (link)"},
    {"--target", 't', "TARGET", "what to generate for (generic-c99); 'lathe targets' lists them"},
    {"--no-fuse", 0, "", "one kernel for each operator, its result in memory"},
};

ExitCode Compile(const Invocation& in) {
  const absl::string_view target_name = in.args.Value("--target", "generic-c99");
  const Target* target = FindTarget(target_name);
  if (target == nullptr) {
    return ReportUsage(absl::StrCat("no target is named '", target_name, "'",
                                    DidYouMean(target_name, TargetNames()),
                                    "\nthe targets are: ", absl::StrJoin(TargetNames(), ", ")),
                       in.io.err);
  }
  const auto sizes = ReadSizeOptions(in.args, "to compile");
  if (!sizes.ok()) return ReportUsage(sizes.status().message(), in.io.err);
  const auto externs = ReadExternsOption(in.args);
  if (!externs.ok()) return ReportUsage(externs.status().message(), in.io.err);
  const auto file = ReadSource(in.args.operands[0], in.io);
  if (!file.ok()) return ReportTrouble(file.status(), in.report, in.io.err);
  ir::Context context;
  Diagnostics diags;
  auto loaded = LoadModule(context, *file, diags);
  if (!loaded) return Report(diags, in.report, in.io.err);
  const auto module = PrepareForC(context, *std::move(loaded), *sizes, diags);
  if (!module.ok()) return ReportUsage(module.status().message(), in.io.err);
  if (diags.has_errors()) return Report(diags, in.report, in.io.err);

  const std::string stem =
      std::filesystem::path(std::string(file->path())).filename().replace_extension().string();
  const std::string name = emit::CIdentifier(in.args.Value("--name", absl::string_view(stem)));
  const auto model = GenerateModel(context, *module, *target, name,
                                   {!in.args.Has("--no-fuse"), {*externs}}, diags);
  const ExitCode code = Report(diags, in.report, in.io.err);
  if (code != kExitOk) return code;
  if (!model.ok()) return ReportTrouble(model.status(), in.report, in.io.err);
  const std::string folder(in.args.Value("--output", "."));
  const absl::Status written = bundle::WriteBundle(folder, model->files);
  if (!written.ok()) return ReportTrouble(written, in.report, in.io.err);
  for (const emit::OutputFile& output : model->files) {
    Print(in.io.out, absl::StrCat((std::filesystem::path(folder) / output.name).string(), "\n"));
  }
  return kExitOk;
}

}  // namespace

constexpr Verb kVerbCompile = {
    .name = "compile",
    .summary = "turn a program into C files",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = false,
    .options = kOptions,
    .details =
        "Prints the names of the files it wrote. Everything it cannot compile yet is listed\n"
        "and ends it with exit code 3.\n"
        "\n"
        "Examples:\n"
        "  lathe compile hello_add.py -o out -n hello_add\n"
        "  lathe compile model.py -t generic-c99 -o generated\n"
        "  lathe compile model.py -D n=4 -o generated\n",
    .run = Compile,
};

}  // namespace lathe::driver
