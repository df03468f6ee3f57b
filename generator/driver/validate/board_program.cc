#include "generator/driver/validate/board_program.h"

#include <filesystem>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/bundle/write_bundle.h"
#include "generator/driver/model_report.h"
#include "generator/driver/options/extern_files.h"
#include "generator/driver/report/status_name.h"
#include "generator/driver/validate/main_view.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/run_command.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

using Dict = TemplateValue::Dict;

// Returns the templates of startup code and linker scripts for a kind of board.
std::vector<absl::string_view> PartsOf(BoardKind kind) {
  switch (kind) {
    case BoardKind::kCortexM:
      return {"cortex_m.c", "start.h", "board.ld"};
    case BoardKind::kRiscV:
      return {"riscv.c", "start.h", "board.ld"};
    case BoardKind::kAvr:
      return {"avr.c"};
    case BoardKind::kUser:
      return {};
  }
  return {};
}

std::vector<std::string> LinkFlags(const Board& board, const std::string& folder) {
  if (board.kind != BoardKind::kAvr) {
    // Only assembler refers to these functions, which link-time optimization does not see.
    return {"-nostartfiles",
            "-Wl,--gc-sections",
            "-Wl,-u,board_fault",
            "-Wl,-u,board_start",
            "-T",
            (std::filesystem::path(folder) / "board.ld").string()};
  }
  const std::string limit = absl::StrCat(board.ram + board.ram_size - board.stack_size);
  return {"-Wl,--gc-sections", "-Wl,--defsym=board_free_begin=__heap_start",
          absl::StrCat("-Wl,--defsym=board_free_end=", limit),
          absl::StrCat("-Wl,--defsym=board_stack_limit=", limit)};
}

std::vector<std::string> EmulatorWords(const Board& board, const std::string& image) {
  std::vector<std::string> words = {
      std::string(board.emulator), "-M", std::string(board.name), "-nographic", "-monitor", "none"};
  switch (board.kind) {
    case BoardKind::kCortexM:
      words.insert(words.end(), {"-serial", "null", "-semihosting-config",
                                 "enable=on,target=native", "-kernel", image});
      break;
    case BoardKind::kRiscV:
      words.insert(words.end(), {"-serial", "stdio", "-bios", "none", "-kernel", image});
      break;
    case BoardKind::kAvr:
    case BoardKind::kUser:
      words.insert(words.end(), {"-serial", "stdio", "-bios", image});
      break;
  }
  return words;
}

// Returns what a terminal would show: without the line ends, other bytes as '?'.
std::string RenderedLine(absl::string_view line) {
  std::string text(absl::StripTrailingAsciiWhitespace(line));
  for (char& c : text) c = absl::ascii_isprint(static_cast<unsigned char>(c)) ? c : '?';
  return text;
}

absl::Status Failed(absl::string_view what) { return absl::FailedPreconditionError(what); }

// Parses the output of the program: for each run "fill", "status", "stack", then its outputs as
// hexadecimal digits; finally "done".
absl::StatusOr<BoardRun> ReadPrinted(const BoardTools& tools, const std::string& text) {
  BoardRun run;
  bool done = false;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    if (IsBrokenGuard(line)) return BrokenGuard(line);
    if (words[0] == "fault") {
      return Failed(absl::StrCat("the board stopped with a fault: ", line));
    }
    if (words[0] == "full" && words.size() == 3) {
      return absl::ResourceExhaustedError(absl::StrCat("board '", tools.board->name, "' has ",
                                                       words[1], " bytes of memory left, but ",
                                                       words[2], " are needed"));
    }
    if (words[0] == "status" && words.size() == 2) {
      if (words[1] != "0") {
        const auto status = ErrorFromStatus(words[1]);
        return status ? *status : Failed(absl::StrCat("the board printed '", line, "'"));
      }
      run.outputs.emplace_back();
    } else if (words[0] == "stack" && words.size() >= 3) {
      (void)absl::SimpleAtoi(words[1], &run.stack);
      (void)absl::SimpleAtoi(words[2], &run.stack_top);
      if (words.size() > 3) {
        return absl::ResourceExhaustedError(absl::StrCat("the stack of ", tools.board->stack_size,
                                                         " bytes of board '", tools.board->name,
                                                         "' is too small"));
      }
    } else if (words[0] == "done") {
      done = true;
    } else if (words[0] != "fill" && words[0] != "end" && !line.empty()) {
      const bool is_hex = line.find_first_not_of("0123456789abcdef") == absl::string_view::npos;
      if (!is_hex || run.outputs.empty()) {
        return Failed(absl::StrCat("the board printed '", RenderedLine(line), "'"));
      }
      run.outputs.back() += absl::HexStringToBytes(line);
    }
  }
  if (!done) return Failed("the board stopped before it was done");
  return run;
}

// Rejects flags for position-independent code: the image has no loader that relocates it.
absl::Status CheckBoardFlags(const BoardTools& tools) {
  for (const std::string& flag : tools.cflags) {
    if (flag != "-fPIC" && flag != "-fpic" && flag != "-fPIE" && flag != "-fpie") continue;
    return absl::UnavailableError(
        absl::StrCat("'", flag, "' is for code that a loader relocates; a program of board '",
                     tools.board->name, "' is linked for fixed addresses"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<emit::OutputFile>> BoardFiles(const GeneratedModel& model,
                                                         const emit::ApiFunction& function,
                                                         const std::string& name,
                                                         const std::vector<PartBytes>& inputs,
                                                         const std::vector<PartBytes>& outputs,
                                                         const Board& board) {
  Dict view = MainView(model, function, name, inputs, outputs);
  view["board"] = Dict{{"name", std::string(board.name)},
                       {"boot", absl::StrCat(board.boot)},
                       {"code", absl::StrCat(board.code)},
                       {"code_size", absl::StrCat(board.code_size)},
                       {"ram", absl::StrCat(board.ram)},
                       {"ram_size", absl::StrCat(board.ram_size)},
                       {"stack_size", absl::StrCat(board.stack_size)}};
  std::vector<emit::OutputFile> files = model.files;
  std::vector<absl::string_view> parts = PartsOf(board.kind);
  for (absl::string_view part : {"main.c", "board.h", "inputs.S"}) parts.push_back(part);
  for (absl::string_view part : parts) {
    LATHE_ASSIGN_OR_RETURN(std::string text,
                           emit::RenderNamed(absl::StrCat("boards/", part, ".tmpl"), view));
    files.push_back({std::string(part), std::move(text)});
  }
  LATHE_ASSIGN_OR_RETURN(files.emplace_back(), GuardsFile(view, name));
  if (function.has_values()) {
    LATHE_ASSIGN_OR_RETURN(std::string values, emit::RenderNamed("validate/values.h.tmpl", {}));
    files.push_back({"values.h", std::move(values)});
  }
  files.push_back({"inputs", InputFile(inputs)});
  return files;
}

absl::Status BuildBoardProgram(const std::vector<emit::OutputFile>& files, const BoardTools& tools,
                               const std::string& folder) {
  LATHE_RETURN_IF_ERROR(CheckBoardFlags(tools));
  LATHE_RETURN_IF_ERROR(bundle::WriteBundle(folder, files));
  const std::filesystem::path root(folder);
  std::vector<std::string> words = {tools.cc};
  for (absl::string_view flag : absl::StrSplit(tools.target->flags, ' ', absl::SkipEmpty())) {
    words.emplace_back(flag);
  }
  words.insert(words.end(),
               {"-std=c99", "-gdwarf-4", "-I", folder, "-Xassembler", "-I", "-Xassembler", folder});
  words.insert(words.end(), tools.cflags.begin(), tools.cflags.end());
  for (const emit::OutputFile& file : files) {
    if (absl::EndsWith(file.name, ".c") || absl::EndsWith(file.name, ".S")) {
      words.push_back((root / file.name).string());
    }
  }
  for (std::string& word : LinkWords(tools.externs)) words.push_back(std::move(word));
  for (std::string& word : LinkFlags(*tools.board, folder)) words.push_back(std::move(word));
  words.insert(words.end(), {"-o", (root / "image").string(), "-lm"});
  const auto built = RunCommand(words);
  // Packages are known only for the compiler of the target.
  const bool known = tools.cc == tools.target->compiler && !tools.target->packages.empty();
  if (absl::IsNotFound(built.status())) {
    return absl::UnavailableError(absl::StrCat(built.status().message(),
                                               known ? "; the Debian packages that have it: " : "",
                                               known ? tools.target->packages : ""));
  }
  LATHE_RETURN_IF_ERROR(built.status());
  if (built->exit_code == 0) return absl::OkStatus();
  if (absl::StrContains(built->output, "overflowed by") ||
      absl::StrContains(built->output, "will not fit in region")) {
    return absl::ResourceExhaustedError(absl::StrCat("the program is too large for board '",
                                                     tools.board->name, "':\n", built->output));
  }
  // The compiler may be installed without its C library.
  const bool lacks_files = known && (absl::StrContains(built->output, "No such file") ||
                                     absl::StrContains(built->output, "cannot find"));
  return absl::UnavailableError(
      absl::StrCat("'", tools.cc, "' did not compile the generated code:\n", built->output,
                   lacks_files ? "the Debian packages of compiler and libraries: " : "",
                   lacks_files ? tools.target->packages : ""));
}

absl::Status CheckBoardMemory(const GeneratedModel& model, const Board& board) {
  const ModelReport report = MakeModelReport(model, *FindTarget(board.target), std::nullopt);
  const int64_t there = board.ram_size - board.stack_size + board.code_size;
  if (report.ram.arena + report.weights <= there) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "the program is too large for board '", board.name, "': its arena takes ", report.ram.arena,
      " bytes and its constants ", report.weights, ", and the board has ", there, " for both"));
}

absl::StatusOr<BoardRun> RunBoardProgram(const BoardTools& tools, const std::string& folder,
                                         const std::vector<std::string>& further) {
  const std::filesystem::path root(folder);
  std::vector<std::string> words = EmulatorWords(*tools.board, (root / "image").string());
  words.insert(words.end(), further.begin(), further.end());
  CommandEnd end = {.seconds = tools.seconds};
  if (tools.board->kind == BoardKind::kAvr) end.said = "end\n";
  const auto ran = RunCommand(words, end);
  if (absl::IsNotFound(ran.status())) {
    return absl::UnavailableError(absl::StrCat(
        ran.status().message(), "; the Debian package that has it: ", tools.board->package));
  }
  LATHE_RETURN_IF_ERROR(ran.status());
  LATHE_ASSIGN_OR_RETURN(BoardRun run, ReadPrinted(tools, ran->output));
  if (ran->exit_code != 0) {
    return Failed(
        absl::StrCat("the emulator ended with exit code ", ran->exit_code, ":\n", ran->output));
  }
  if (run.outputs.size() != 2) return Failed("the board ran the program another number of times");
  return run;
}

}  // namespace lathe::driver
