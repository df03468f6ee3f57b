#include "generator/driver/verb_validate.h"

#include <cstdlib>
#include <filesystem>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/driver/compare_parts.h"
#include "generator/driver/dim_option.h"
#include "generator/driver/extern_files.h"
#include "generator/driver/host_program.h"
#include "generator/driver/pipeline.h"
#include "generator/driver/port_bytes.h"
#include "generator/driver/read_source.h"
#include "generator/driver/report.h"
#include "generator/driver/run_inputs.h"
#include "generator/driver/work_folder.h"
#include "generator/emit/c_names.h"
#include "generator/interp/interpreter.h"
#include "generator/support/status.h"
#include "generator/target/target.h"

namespace lathe::driver {
namespace {

constexpr Option kOptions[] = {
    {"--on", 0, "host", "where the generated code runs (host)"},
    {"--data", 0, "DATA", "random:seed=1,n=16 or an .npz file (random:seed=1)"},
    {"--func", 0, "NAME", "the function to look at (main)"},
    {"--dim", 'D', "NAME=N", "compile for this value of a shape variable"},
    {"--no-fuse", 0, "", "one kernel for each operator, its result in memory"},
    {"--extern", 0, "FILE", "a C file or library with functions that the program calls"},
    {"--externs", 0, "link|table", "how the generated code is told of them (link)"},
    {"--cc", 0, "PROGRAM", "the C compiler (cc)"},
    {"--cflags", 0, "FLAGS", "what it is given, separated by spaces (-O2)"},
    {"--rtol", 0, "R", "how far a float may be off, relative to it (1e-5)"},
    {"--atol", 0, "A", "and how far in any case (1e-6)"},
    {"--keep", 0, "FOLDER", "leave what was compiled and run there"},
};

absl::Status ReadData(absl::string_view text, RunOptions& options) {
  if (!absl::ConsumePrefix(&text, "random")) {
    if (!absl::EndsWith(text, ".npz")) {
      return absl::InvalidArgumentError(
          absl::StrCat("option '--data' is random:seed=N,DIM=N or an .npz file; got '", text, "'"));
    }
    options.inputs.emplace_back("", std::string(text));
    return absl::OkStatus();
  }
  options.seed = 1;
  absl::ConsumePrefix(&text, ":");
  for (absl::string_view part : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> pair =
        absl::StrSplit(part, absl::MaxSplits('=', 1));
    int64_t number = 0;
    if (pair.first.empty() || !absl::SimpleAtoi(pair.second, &number) || number < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("in option '--data', '", part, "' is not NAME=N"));
    }
    if (pair.first == "seed") {
      options.seed = static_cast<uint64_t>(number);
    } else {
      options.sizes[std::string(pair.first)] = number;
    }
  }
  return absl::OkStatus();
}

class Validation {
 public:
  explicit Validation(const Invocation& in) : in_(in) {}

  ExitCode Run() {
    if (in_.args.Value("--on", "host") != "host") {
      return ReportUsage(absl::StrCat("option '--on' is host; got '", in_.args.Value("--on"), "'"),
                         in_.io.err);
    }
    options_.func = std::string(in_.args.Value("--func", "main"));
    for (const auto& [option, into] :
         {std::pair("--rtol", &tolerance_.relative), std::pair("--atol", &tolerance_.absolute)}) {
      if (in_.args.Has(option) && !absl::SimpleAtod(in_.args.Value(option), into)) {
        return ReportUsage(
            absl::StrCat("option '", option, "' is a number; got '", in_.args.Value(option), "'"),
            in_.io.err);
      }
    }
    if (const absl::Status data = ReadData(in_.args.Value("--data", "random:seed=1"), options_);
        !data.ok()) {
      return ReportUsage(data.message(), in_.io.err);
    }
    const auto sizes = ReadSizeOptions(in_.args, "to validate");
    if (!sizes.ok()) return ReportUsage(sizes.status().message(), in_.io.err);
    fixed_ = *sizes;
    for (const auto& [name, size] : *sizes) options_.sizes[name] = size;
    const auto file = ReadSource(in_.args.operands[0], in_.io);
    if (!file.ok()) return ReportTrouble(file.status(), in_.report, in_.io.err);
    return Compare(*file);
  }

 private:
  ExitCode Compare(const SourceFile& file) {
    const auto externs = ReadExternsOption(in_.args);
    if (!externs.ok()) return ReportUsage(externs.status().message(), in_.io.err);
    ir::Context context;
    Diagnostics diags;
    auto module = LoadModule(context, file, diags);
    if (!module) return Report(diags, in_.report, in_.io.err);
    const auto function = module->Find(options_.func);
    if (!function || !ir::IsExported(module->globals[*function]) ||
        module->globals[*function].function() == nullptr) {
      return ReportUsage(absl::StrCat("the module exports no Relax function '", options_.func,
                                      "'; choose one with --func"),
                         in_.io.err);
    }
    WorkFolder folder(in_.args.Value("--keep"));
    HostTools tools;
    tools.cc = std::string(in_.args.Value("--cc", "cc"));
    tools.cflags = absl::StrSplit(in_.args.Value("--cflags", "-O2"), ' ', absl::SkipEmpty());
    for (absl::string_view path : in_.args.Values("--extern")) tools.externs.emplace_back(path);
    interp::Options settings;
    const absl::Status loaded =
        LoadExternFiles(tools.externs, tools.cc, folder.path(), &settings.packed);
    if (!loaded.ok()) return ReportTrouble(loaded, in_.report, in_.io.err);
    interp::Interpreter interpreter(context, *module, std::move(settings));
    auto args = CollectInputs(interpreter, *function, options_);
    if (!args.ok()) return ReportUsage(args.status().message(), in_.io.err);

    const auto prepared = PrepareForC(context, *module, fixed_, diags);
    if (!prepared.ok()) return ReportUsage(prepared.status().message(), in_.io.err);
    if (diags.has_errors()) return Report(diags, in_.report, in_.io.err);
    const std::string name = "model";
    const auto model = GenerateModel(context, *prepared, *FindTarget("generic-c99"), name,
                                     {!in_.args.Has("--no-fuse"), {*externs}}, diags);
    if (diags.has_errors()) return Report(diags, in_.report, in_.io.err);
    if (!model.ok()) return ReportTrouble(model.status(), in_.report, in_.io.err);
    const emit::ApiFunction* api = nullptr;
    for (const emit::ApiFunction& f : model->functions) {
      if (model->program.routines[f.routine].name == options_.func) api = &f;
    }
    const auto inputs = PartsOfCall(*model, *api, *args);
    if (!inputs.ok()) return ReportTrouble(inputs.status(), in_.report, in_.io.err);

    const auto wanted_value = interpreter.Run(*function, *std::move(args), diags);
    if (!wanted_value.ok()) return Report(diags, in_.report, in_.io.err);
    const std::vector<PartBytes> wanted = PartsOfValue(*wanted_value);
    if (wanted.size() != api->outputs.size() || inputs->size() != api->inputs.size()) {
      return ReportTrouble(absl::InternalError("the generated function takes or gives something "
                                               "else than the program"),
                           in_.report, in_.io.err);
    }
    return Execute(*model, *api, name, *inputs, wanted, tools, folder.path());
  }

  ExitCode Execute(const GeneratedModel& model, const emit::ApiFunction& api,
                   const std::string& name, const std::vector<PartBytes>& inputs,
                   const std::vector<PartBytes>& wanted, const HostTools& tools,
                   const std::string& folder) {
    const auto files = HostFiles(model, api, name, inputs, wanted);
    if (!files.ok()) return ReportTrouble(files.status(), in_.report, in_.io.err);
    const absl::Status built = BuildHostProgram(*files, tools, folder);
    if (!built.ok()) return ReportTrouble(built, in_.report, in_.io.err);
    std::string first;
    for (int fill : {0xaa, 0x55}) {
      const auto got =
          RunHostProgram({(std::filesystem::path(folder) / "run").string()}, folder, inputs, fill);
      if (!got.ok()) {
        Print(in_.io.err, absl::StrCat("lathe: error: ", got.status().message(), "\n"));
        return kExitMismatch;
      }
      if (fill == 0xaa) first = *got;
      if (*got != first) {
        Print(in_.io.err, "lathe: error: the results depend on what was in memory before\n");
        return kExitMismatch;
      }
    }
    return Table(api, wanted, first);
  }

  ExitCode Table(const emit::ApiFunction& api, const std::vector<PartBytes>& wanted,
                 const std::string& got) {
    bool all_good = true;
    size_t at = 0;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const std::string part = got.substr(std::min(at, got.size()), wanted[i].bytes.size());
      at += wanted[i].bytes.size();
      if (part.size() != wanted[i].bytes.size()) {
        Print(in_.io.err, "lathe: error: the compiled program gave too few bytes\n");
        return kExitMismatch;
      }
      const Difference d = CompareParts(wanted[i], part, tolerance_);
      std::string row = absl::StrFormat(
          "%-16s %-10s %-16s max|d| %-9.3g %s\n", api.outputs[i].name, ToString(wanted[i].dtype),
          interp::ShapeToString(wanted[i].shape), d.largest,
          d.beyond == 0
              ? "ok"
              : absl::StrCat(d.beyond, " of ", d.elements, " differ, first at ", d.first));
      Print(in_.io.out, row);
      all_good = all_good && d.beyond == 0;
    }
    Print(in_.io.out, all_good ? "PASS\n" : "FAIL\n");
    return all_good ? kExitOk : kExitMismatch;
  }

  const Invocation& in_;
  RunOptions options_;
  std::map<std::string, int64_t> fixed_;
  Tolerance tolerance_;
};

ExitCode Validate(const Invocation& in) { return Validation(in).Run(); }

}  // namespace

const Verb kVerbValidate = {
    .name = "validate",
    .summary = "compile to C, run that, and compare with the program's meaning",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = false,
    .options = kOptions,
    .details =
        "Runs the compiled program twice, its memory filled with other bytes, and compares each\n"
        "output with what 'lathe run' gives. Ends with exit code 6 when they differ.\n"
        "\n"
        "Examples:\n"
        "  lathe validate model.py\n"
        "  lathe validate model.py --data random:seed=3,n=16 --cflags '-O0 -fsanitize=undefined'\n"
        "  lathe validate model.py --data inputs.npz --func predict\n",
    .run = Validate,
};

}  // namespace lathe::driver
