#include "generator/driver/cli/verb_check.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "generator/driver/load_program.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/read_source.h"
#include "generator/support/status.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

Json Summary(const SourceFile& file, const std::optional<ir::Module>& module,
             const Diagnostics& diags) {
  Json out = {{"file", std::string(file.path())},
              {"valid", !diags.has_errors()},
              {"errors", diags.error_count()},
              {"warnings", diags.all().size() - static_cast<size_t>(diags.error_count())},
              {"functions", Json::array()}};
  if (!module) return out;
  for (size_t i = 0; i < module->globals.size(); ++i) {
    const ir::Global& g = module->globals[ir::GlobalId{static_cast<int32_t>(i)}];
    const char* kind = g.function() != nullptr    ? "function"
                       : g.prim_func() != nullptr ? "prim_func"
                                                  : "extern";
    out["functions"].push_back({{"name", g.name}, {"kind", kind}, {"exported", IsExported(g)}});
  }
  return out;
}

Json Unread(const std::string& path, const absl::Status& why) {
  return {{"file", path},
          {"valid", false},
          {"errors", 1},
          {"warnings", 0},
          {"functions", Json::array()},
          {"failure", std::string(why.message())}};
}

constexpr Option kCheckOptions[] = {
    {"--dim", 'D', "NAME=N", "check it for this size of a shape variable, or for LOW..HIGH"},
    kParamsOption,
    kOutputsOption,
    kLikeOption,
};

// Options for ONNX models and sizes require a single file.
absl::StatusOr<LoadRequest> ReadRequest(const Invocation& in) {
  LoadRequest request;
  LATHE_ASSIGN_OR_RETURN(request.sizes, ReadDimOptions(in.args));
  LATHE_ASSIGN_OR_RETURN(request.params, ReadParamsOption(in.args));
  const bool of_onnx = in.args.Has("--outputs") || in.args.Has("--like");
  if (!of_onnx && request.sizes.empty() && request.params.path.empty()) return request;
  if (in.args.operands.size() != 1) {
    return absl::InvalidArgumentError(
        of_onnx ? "options '--outputs' and '--like' need exactly one ONNX model"
                : "options '-D' and '--params' need exactly one program");
  }
  if (!of_onnx) return request;
  LATHE_ASSIGN_OR_RETURN(request.read.outputs, ReadOutputsOption(in.args));
  LATHE_ASSIGN_OR_RETURN(const SourceFile file, ReadSource(in.args.operands[0], in.io));
  LATHE_RETURN_IF_ERROR(ReadLikeOption(in.args, file, request.read));
  return request;
}

ExitCode Check(const Invocation& in) {
  const auto request = ReadRequest(in);
  if (!request.ok()) return in.report->InputError(request.status());
  // Diagnostics point into the files and are reported together, so the files stay alive.
  std::deque<SourceFile> files;
  Diagnostics all;
  std::vector<NotChecked> not_checked;
  Json summaries = Json::array();
  std::string valid;  // a line for each valid file
  ExitCode trouble = kExitOk;
  for (const std::string& path : in.args.operands) {
    auto file = ReadSource(path, in.io);
    if (!file.ok()) {
      trouble = std::max(trouble, in.report->EnvironmentError(file.status()));
      summaries.push_back(Unread(path, file.status()));
      continue;
    }
    files.push_back(*std::move(file));
    ir::Context context;
    Diagnostics diags;
    NotChecked unchecked;
    auto program = LoadProgram(context, files.back(), *request, diags, unchecked);
    if (!program.ok()) return in.report->InputError(program.status());
    std::optional<ir::Module> module;
    if (*program) module = std::move((*program)->module);
    not_checked.push_back(std::move(unchecked));
    const Diagnostics shown = Prepare(diags, in.report->options());
    summaries.push_back(Summary(files.back(), module, shown));
    if (!shown.has_errors()) absl::StrAppend(&valid, "ok: ", path, "\n");
    for (const Diagnostic& d : shown.all()) all.Add(d);
  }
  const ExitCode code = in.report->Add(all, not_checked);
  if (in.args.Has("--json")) {
    const Json out = {{"schema_version", 1}, {"files", std::move(summaries)}};
    Print(in.io.out, out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  } else if (!in.args.Has("--quiet")) {
    Print(in.io.out, valid);
  }
  return trouble != kExitOk ? trouble : code;
}

}  // namespace

constexpr Verb kVerbCheck = {
    .name = "check",
    .summary = "report every rule of the language that a program breaks",
    .operands = "FILE...",
    .min_operands = 1,
    .max_operands = 1 << 20,
    .reports = true,
    .options = kCheckOptions,
    .details =
        "Prints a line for each valid file. 'lathe explain CODE' explains a message.\n"
        "\n"
        "Examples:\n"
        "  lathe check model.py\n"
        "  lathe check --diagnostics=short -Werror *.py\n"
        "  lathe check --diagnostics=sarif model.py 2> model.sarif\n",
    .run = Check,
};

}  // namespace lathe::driver
