#include "generator/driver/cli/verb_fit.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/driver/cli/measure_options.h"
#include "generator/driver/compile_model.h"
#include "generator/driver/estimate_time.h"
#include "generator/driver/model_report.h"
#include "generator/driver/options/fusion_options.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/stream_option.h"
#include "generator/driver/view/fit_table.h"
#include "generator/driver/view/report_json.h"
#include "generator/support/closest_name.h"
#include "generator/target/common_boards.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

constexpr Option kFitOptions[] = {
    {"--format", 0, "table|json|csv|markdown", "the output format; json is that of --json (table)"},
    {"--board", 0, "BOARD", "only this board, which must fit; repeatable (all of the list)"},
    {"--fitting", 0, "", "list only boards that the model fits"},
    {"--name", 'n', "NAME", "the C prefix of every symbol (the model's file name)"},
    {"--dim", 'D', "NAME=N", "compile for this size of a shape variable, or for LOW..HIGH"},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kTapOption,
    kStreamOption,
    kStreamPaddingOption,
    kLikeOption,
    {"--no-cc", 0, "", "compare the weights alone with the flash; call no compiler"},
    kCflagsOption,
    kStackOfOption,
    {"--externs", 0, "link|table", "external functions: linked, or passed to init (link)", true},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    kNoFuseOption,
    kPreferOption,
    kPoolOption,
    // The verb itself adds this one for each target.
    {"--target", 't', "TARGET", "only boards that run code for this target (all)"},
};
constexpr const Option* kTargetOption = &kFitOptions[std::size(kFitOptions) - 1];

absl::StatusOr<std::string> ReadFitFormat(const Arguments& args) {
  const std::string format(args.Value("--format", args.Has("--json") ? "json" : "table"));
  if (!args.Has("--json") || format == "json") return format;
  return absl::InvalidArgumentError(
      absl::StrCat("options '--json' and '--format ", format, "' exclude each other"));
}

// Returns the boards of --board and --target.
absl::StatusOr<std::vector<const CommonBoard*>> ReadFitBoards(const Arguments& args) {
  const absl::string_view target = args.Value("--target");
  std::vector<const CommonBoard*> boards;
  std::vector<absl::string_view> names, targets;
  for (const CommonBoard& board : CommonBoards()) {
    names.push_back(board.name);
    if (std::find(targets.begin(), targets.end(), board.target) == targets.end()) {
      targets.push_back(board.target);
    }
    if (!args.Has("--board") && (target.empty() || board.target == target)) {
      boards.push_back(&board);
    }
  }
  if (!target.empty() && std::find(targets.begin(), targets.end(), target) == targets.end()) {
    return absl::InvalidArgumentError(absl::StrCat("no board of the list runs code for '", target,
                                                   "'; supported: ", absl::StrJoin(targets, ", ")));
  }
  for (absl::string_view name : args.Values("--board")) {
    const CommonBoard* board = FindCommonBoard(name);
    if (board == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat("option '--board': no board is named '", name,
                                                     "'", DidYouMean(name, names),
                                                     "; supported: ", absl::StrJoin(names, ", ")));
    }
    if (!target.empty() && board->target != target) {
      return absl::InvalidArgumentError(absl::StrCat("option '--board': board '", name,
                                                     "' runs code for '", board->target,
                                                     "', not for '", target, "'"));
    }
    if (std::find(boards.begin(), boards.end(), board) == boards.end()) boards.push_back(board);
  }
  return boards;
}

// The memory of the model on one target.
struct TargetFit {
  std::string why_not_compiled;  // without a report
  std::string why_not_measured;
  ModelReport report;
};

// A report whose text is kept.
class KeptReport {
 public:
  explicit KeptReport(ReportOptions options) {
    file_ = open_memstream(&text_, &size_);
    options.format = ReportFormat::kShort;
    options.color = false;
    options.quiet = true;
    report_.emplace(options, file_);
  }
  ~KeptReport() {
    std::fclose(file_);
    std::free(text_);
  }
  KeptReport(const KeptReport&) = delete;
  KeptReport& operator=(const KeptReport&) = delete;

  Report* report() { return &*report_; }
  std::string FirstLine() {
    std::fflush(file_);
    const absl::string_view text(text_, size_);
    absl::string_view line = text.substr(0, text.find('\n'));
    absl::ConsumePrefix(&line, "error: ");
    return std::string(line);
  }

 private:
  char* text_ = nullptr;
  size_t size_ = 0;
  std::FILE* file_ = nullptr;
  std::optional<Report> report_;
};

// Compiles for `target` and measures with its compiler, if it is installed.
TargetFit FitTarget(const Invocation& in, absl::string_view target, std::string& name) {
  TargetFit fit;
  KeptReport kept(in.report->options());
  Invocation one = in;
  one.report = kept.report();
  one.args.given.emplace_back(kTargetOption, std::string(target));
  CompiledModel compiled;
  if (CompileModel(one, compiled) != kExitOk) {
    fit.why_not_compiled = kept.FirstLine();
    return fit;
  }
  name = compiled.name;
  std::optional<CodeMeasures> measures;
  if (!in.args.Has("--no-cc") && !compiled.target->compiler.empty()) {
    std::vector<std::string> words = {std::string(compiled.target->compiler)};
    for (absl::string_view flags : {absl::string_view(compiled.target->flags),
                                    absl::string_view("-Os"), in.args.Value("--cflags")}) {
      for (absl::string_view flag : absl::StrSplit(flags, ' ', absl::SkipEmpty())) {
        words.emplace_back(flag);
      }
    }
    auto measured = MeasureWith(words, one, compiled);
    if (measured.ok()) {
      measures = *std::move(measured);
    } else if (!absl::IsUnavailable(measured.status())) {
      const absl::string_view why = measured.status().message();
      fit.why_not_measured = std::string(why.substr(0, why.find('\n')));
    }
  }
  fit.report = MakeModelReport(compiled.model, *compiled.target, std::move(measures));
  return fit;
}

FitRow RowOf(const TargetFit& fit, const CommonBoard& board) {
  FitRow row;
  row.board = &board;
  row.why_not_compiled = fit.why_not_compiled;
  if (!fit.why_not_compiled.empty()) return row;
  row.why_not_measured = fit.why_not_measured;
  const ModelReport& report = fit.report;
  row.measured = report.measures.has_value();
  if (row.measured) {
    row.stack = report.measures->stack;
    if (!row.stack && !report.measures->stack_unbounded.empty()) {
      row.why_no_stack = report.measures->stack_unbounded[0];
    }
  }
  if (!report.open && !report.ram.open) row.ram = report.ram.total() + row.stack.value_or(0);
  row.flash = row.measured ? report.measures->flash() : report.weights;
  row.time = EstimateTime(report, board);
  return row;
}

ExitCode Fit(const Invocation& in) {
  const auto format = ReadFitFormat(in.args);
  if (!format.ok()) return in.report->Usage(format.status().message());
  const auto boards = ReadFitBoards(in.args);
  if (!boards.ok()) return in.report->Usage(boards.status().message());
  const auto stack_of = ReadStackOfOptions(in.args);
  if (!stack_of.ok()) return in.report->Usage(stack_of.status().message());
  if (in.args.operands[0] == "-") {
    return in.report->Usage("'fit' reads the model for each target; it must be a file, not '-'");
  }
  // Reports what is wrong with the model itself.
  CompiledModel portable;
  Invocation first = in;
  std::erase_if(first.args.given, [](const auto& given) { return given.first == kTargetOption; });
  if (const ExitCode code = CompileModel(first, portable); code != kExitOk) return code;
  FitTable table;
  table.model = portable.name;
  table.functions = portable.model.functions.size();
  std::map<absl::string_view, TargetFit> by_target;
  for (const CommonBoard* board : *boards) {
    auto it = by_target.find(board->target);
    if (it == by_target.end()) {
      in.report->Remark(absl::StrCat("compiles for ", board->target));
      it = by_target.emplace(board->target, FitTarget(first, board->target, table.model)).first;
    }
    table.rows.push_back(RowOf(it->second, *board));
  }
  const bool all_fit = std::all_of(table.rows.begin(), table.rows.end(),
                                   [](const FitRow& row) { return row.fits(); });
  if (in.args.Has("--fitting"))
    std::erase_if(table.rows, [](const FitRow& r) { return !r.fits(); });
  SortFit(table);
  Print(in.io.out, *format == "json"       ? JsonText(FitAsJson(table))
                   : *format == "csv"      ? FitAsCsv(table)
                   : *format == "markdown" ? FitAsMarkdown(table)
                                           : FitAsText(table));
  if (!in.args.Has("--board") || all_fit) return kExitOk;
  return in.report->Fail(kExitLimit, "the model does not fit each board of --board");
}

}  // namespace

const Verb kVerbFit = {
    .name = "fit",
    .summary = "list the common boards that a model fits, and about how long it takes there",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = true,
    .options = kFitOptions,
    .details =
        "Compiles the model for the target of each board, measures code and stack with the\n"
        "compiler of the target if it is installed, and compares RAM and flash with those of the\n"
        "board. The time is an estimate, a range; docs/fit.md says how it is made. With --board,\n"
        "ends with exit code 4 if the model does not fit one of them.\n"
        "\n"
        "Examples:\n"
        "  lathe fit kws.tflite\n"
        "  lathe fit kws.tflite --fitting --format csv\n"
        "  lathe fit model.onnx --board nucleo-f411re --board raspberry-pi-pico\n",
    .run = Fit,
};

}  // namespace lathe::driver
