#include "generator/driver/cli/verb_report.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/driver/cli/budget.h"
#include "generator/driver/cli/measure_options.h"
#include "generator/driver/cli/render_report.h"
#include "generator/driver/cli/reported_model.h"
#include "generator/driver/cli/write_result.h"
#include "generator/driver/options/fusion_options.h"
#include "generator/driver/options/model_options.h"
#include "generator/driver/options/numerics.h"
#include "generator/driver/options/params_option.h"
#include "generator/driver/options/pool_option.h"
#include "generator/driver/options/stream_option.h"
#include "generator/driver/view/report_page.h"
#include "generator/support/closest_name.h"
#include "generator/support/status.h"
#include "generator/target/board.h"
#include "generator/target/common_boards.h"
#include "generator/target/gpu.h"

namespace lathe::driver {
namespace {

constexpr char kDefaultPage[] = "report.html";

constexpr Option kReportOptions[] = {
    {"--output", 'o', "FILE", "write the page to FILE, or to standard output for - (report.html)"},
    {"--target", 't', "TARGET",
     "the target (that of --board, or generic-c99); 'lathe targets' lists them"},
    {"--board", 0, "BOARD",
     "compare RAM and flash with this board: one of docs/boards.md or of 'lathe fit'"},
    {"--name", 'n', "NAME", "the C prefix of every symbol (the model's file name)"},
    {"--dim", 'D', "NAME=N", "report for this size of a shape variable, or for LOW..HIGH"},
    kParamsOption,
    kOutputsOption,
    kIoOption,
    kTapOption,
    kStreamOption,
    kStreamPaddingOption,
    kLikeOption,
    kCcOption,
    kCflagsOption,
    kCflagsOnlyOption,
    kStackOfOption,
    {"--max-ram", 0, "BYTES",
     "end with exit code 4, after the page is written, when arena, inputs, outputs, state and "
     "instance take more: 64K"},
    kArenaBudgetOption,
    kFlashBudgetOption,
    kStackBudgetOption,
    {"--externs", 0, "link|table", "external functions: linked, or passed to init (link)", true},
    {kNumericsOption, 0, kNumericsChoices, kNumericsDescription},
    kNoFuseOption,
    kPreferOption,
    kPoolOption,
};

// The memory of an emulated board, or of a common one.
struct BoardMemory {
  std::string name, target;
  int64_t ram = 0, flash = 0;
  bool holds_stack = false;  // the RAM is for the stack, too
};

BoardMemory MemoryOf(const Board& board) {
  return {std::string(board.name), std::string(board.target), board.ram_size - board.stack_size,
          board.code_size, false};
}
BoardMemory MemoryOf(const CommonBoard& board) {
  return {std::string(board.name), std::string(board.target), board.ram, board.flash, true};
}

// Returns the board of --board, nothing without the option. A board of user-mode emulation has no
// memory map, so it is no choice.
absl::StatusOr<std::optional<BoardMemory>> ReadBoardOption(const Arguments& args) {
  if (!args.Has("--board")) return std::optional<BoardMemory>();
  const absl::string_view name = args.Value("--board"), target = args.Value("--target");
  std::vector<absl::string_view> names;
  for (const Board& board : AllBoards()) {
    if (board.ram_size == 0) continue;
    if (names.empty() || names.back() != board.name) names.push_back(board.name);
  }
  const auto refuse = [&, emulated = names](const std::string& what) {
    return absl::InvalidArgumentError(absl::StrCat("option '--board': ", what,
                                                   "; supported: ", absl::StrJoin(emulated, ", "),
                                                   " and the boards that 'lathe fit' lists"));
  };
  if (NamesGpus(target)) return refuse("GPUs have no board");
  // Some boards are in both lists; the emulated one has the memory map of its machine.
  const Board* board = FindBoard(name, target);
  const bool known = std::find(names.begin(), names.end(), name) != names.end();
  if (known && board != nullptr) return MemoryOf(*board);
  if (known) return refuse(absl::StrCat("board '", name, "' does not run code for '", target, "'"));
  if (const CommonBoard* listed = FindCommonBoard(name); listed != nullptr) {
    if (target.empty() || target == listed->target) return MemoryOf(*listed);
    return refuse(absl::StrCat("board '", name, "' runs code for '", listed->target, "', not for '",
                               target, "'"));
  }
  for (const CommonBoard& listed : CommonBoards()) names.push_back(listed.name);
  return refuse(absl::StrCat("no board is named '", name, "'", DidYouMean(name, names)));
}

// Returns the command line with the target of the board, unless it names a target.
Invocation WithTargetOf(const std::optional<BoardMemory>& board, Invocation in) {
  if (!board || in.args.Has("--target")) return in;
  const Option* target = &kReportOptions[1];
  in.args.given.emplace_back(target, board->target);
  return in;
}

// Compares RAM and flash with those of a board.
void AddBoardLines(const BoardMemory& board, const ModelReport& report,
                   const std::optional<int64_t>& ram, std::vector<BudgetLine>& lines) {
  const auto& measures = report.measures;
  const std::optional<int64_t> stack =
      board.holds_stack && measures ? measures->stack : std::nullopt;
  lines.push_back(
      {absl::StrCat("RAM of ", board.name, stack ? ", with the stack" : ", without its stack"),
       ram ? std::optional<int64_t>(*ram + stack.value_or(0)) : std::nullopt, board.ram});
  lines.push_back({absl::StrCat("flash of ", board.name,
                                measures ? "" : ", weights only (--cc measures the code)"),
                   measures ? measures->flash() : report.weights, board.flash});
}

std::vector<BudgetLine> BudgetLines(const Budget& budget, const std::optional<BoardMemory>& board,
                                    const ModelReport& report) {
  const bool open = report.open || report.ram.open;
  const std::optional<int64_t> ram =
      open ? std::nullopt : std::optional<int64_t>(report.ram.total());
  const std::optional<int64_t> arena =
      report.open ? std::nullopt : std::optional<int64_t>(report.ram.arena);
  std::vector<BudgetLine> lines;
  if (board) AddBoardLines(*board, report, ram, lines);
  if (budget.ram) lines.push_back({"RAM (--max-ram)", ram, *budget.ram});
  if (budget.arena) lines.push_back({"arena (--max-arena)", arena, *budget.arena});
  if (!report.measures) return lines;
  if (budget.flash) {
    lines.push_back({"flash (--max-flash)", report.measures->flash(), *budget.flash});
  }
  if (budget.stack) lines.push_back({"stack (--max-stack)", report.measures->stack, *budget.stack});
  return lines;
}

// Reports the limits of the board that the model exceeds.
ExitCode CheckBoard(const Invocation& in, const std::optional<BoardMemory>& board,
                    const ModelReport& report) {
  ExitCode code = kExitOk;
  for (const BudgetLine& line : BudgetLines({}, board, report)) {
    if (line.used && *line.used <= line.limit) continue;
    code = in.report->Fail(
        kExitLimit, absl::StrCat(line.what, ": ",
                                 line.used ? absl::StrCat(*line.used, " bytes are needed")
                                           : "the need has no bound (-D n=LOW..HIGH bounds a size)",
                                 ", but there are ", line.limit));
  }
  return code;
}

ExitCode WriteReport(const Invocation& given) {
  const auto board = ReadBoardOption(given.args);
  if (!board.ok()) return given.report->Usage(board.status().message());
  const Invocation in = WithTargetOf(*board, given);
  ReportedModel model;
  if (const ExitCode code = CompileAndMeasure(in, model); code != kExitOk) return code;
  const ModelReport& report = model.report;
  const auto page = ReportPage(model.compiled, report, model.measured_with,
                               BudgetLines(model.budget, *board, report));
  if (!page.ok()) return in.report->EnvironmentError(page.status());
  const absl::string_view path = in.args.Value("--output", kDefaultPage);
  if (const ExitCode code = WriteResult(in, path, *page); code != kExitOk) return code;
  if (path != "-") {
    Print(in.io.out, absl::StrCat("wrote ", path, "\n", RenderTotals(report, model.measured_with)));
  }
  const ExitCode code = CheckBudgets(in, model);
  const ExitCode on_board = CheckBoard(in, *board, report);
  return code == kExitOk ? on_board : code;
}

}  // namespace

constexpr Verb kVerbReport = {
    .name = "report",
    .summary = "write a page with the graph, memory, layers, weights and kernels of a program",
    .operands = "FILE",
    .min_operands = 1,
    .max_operands = 1,
    .reports = false,
    .options = kReportOptions,
    .details =
        "The page is one HTML file without external parts. It shows the compiled program; see\n"
        "docs/report.md. 'lathe analyze' prints the same numbers as text.\n"
        "\n"
        "Examples:\n"
        "  lathe report model.onnx -o model.html\n"
        "  lathe report model.tflite --board mps2-an386 --cc arm-none-eabi-gcc\n"
        "  lathe report model.py -t x86-64-v3 -D n=4 --max-ram 64K\n",
    .run = WriteReport,
};

}  // namespace lathe::driver
