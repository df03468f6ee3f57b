#include "generator/driver/validate/board_profile.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/emit/text/render_named.h"
#include "generator/support/files.h"
#include "generator/support/run_command.h"
#include "generator/support/status.h"

namespace lathe::driver {
namespace {

uint64_t Hex(absl::string_view text) {
  uint64_t number = 0;
  absl::ConsumePrefix(&text, "0x");
  return absl::SimpleHexAtoi(text, &number) ? number : 0;
}

uint64_t Number(absl::string_view text) {
  uint64_t number = 0;
  return absl::SimpleAtoi(text, &number) ? number : 0;
}

// Runs a binary utility of the compiler (nm, addr2line) and returns its output.
absl::StatusOr<std::string> RunBinutil(const BoardTools& tools, absl::string_view tool,
                                       std::vector<std::string> words) {
  absl::string_view prefix = tools.target->compiler;
  absl::ConsumeSuffix(&prefix, "gcc");
  words.insert(words.begin(), absl::StrCat(prefix, tool));
  LATHE_ASSIGN_OR_RETURN(CommandResult ran, RunCommand(words));
  if (ran.exit_code == 0) return std::move(ran.output);
  return absl::UnavailableError(absl::StrCat("'", words[0], "' failed:\n", ran.output));
}

struct Symbol {
  uint64_t address = 0;
  uint64_t size = 0;
};

absl::StatusOr<std::map<std::string, Symbol>> SymbolsOf(const BoardTools& tools,
                                                        const std::string& image) {
  LATHE_ASSIGN_OR_RETURN(const std::string printed, RunBinutil(tools, "nm", {"-S", image}));
  std::map<std::string, Symbol> symbols;
  for (absl::string_view line : absl::StrSplit(printed, '\n')) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    if (words.size() < 3) continue;
    symbols[words.back()] = {Hex(words[0]), words.size() == 4 ? Hex(words[1]) : 0};
  }
  return symbols;
}

absl::Status BuildPlugin(const std::filesystem::path& root) {
  LATHE_ASSIGN_OR_RETURN(const std::string text, emit::RenderNamed("boards/profile.c.tmpl", {}));
  LATHE_RETURN_IF_ERROR(WriteFile((root / "profile.c").string(), text));
  const auto built = RunCommand({"cc", "-std=gnu99", "-O2", "-shared", "-fPIC", "-o",
                                 (root / "profile.so").string(), (root / "profile.c").string()});
  if (absl::IsNotFound(built.status())) {
    return absl::UnavailableError(absl::StrCat(built.status().message(),
                                               "; it compiles a plugin of QEMU; the Debian package "
                                               "that has it: gcc"));
  }
  LATHE_RETURN_IF_ERROR(built.status());
  if (built->exit_code == 0) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("'cc' did not compile the plugin of QEMU:\n", built->output));
}

// Executed instructions and the lowest written stack address, by instruction address.
struct Counts {
  uint64_t all = 0;
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> at;
};

std::vector<Counts> ReadCounts(const std::string& text, uint64_t top) {
  std::vector<Counts> runs;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    if (words[0] == "run") runs.emplace_back();
    if (words.size() < 3 || runs.empty()) continue;
    const uint64_t count = Number(words[2]);
    auto& [instructions, low] =
        runs.back()
            .at.try_emplace(Hex(words[1]), std::pair<uint64_t, uint64_t>(0, top))
            .first->second;
    runs.back().all += count;
    instructions += count;
    if (words.size() > 3) low = std::min(low, Hex(words[3]));
  }
  return runs;
}

// Adds the counts of a run to those of the runs before it.
void Add(const Counts& counts, uint64_t top, Counts& total) {
  total.all += counts.all;
  for (const auto& [address, count] : counts.at) {
    auto& [instructions, low] =
        total.at.try_emplace(address, std::pair<uint64_t, uint64_t>(0, top)).first->second;
    instructions += count.first;
    low = std::min(low, count.second);
  }
}

// Maps each address to its line of `source` in `function`, with inlined code at the line of the
// call. 0 for addresses of other code.
absl::StatusOr<std::map<uint64_t, int64_t>> LinesOf(const BoardTools& tools,
                                                    const std::filesystem::path& root,
                                                    const std::string& function,
                                                    const std::string& source,
                                                    const Counts& counts) {
  std::string addresses;
  for (const auto& [address, unused] : counts.at) {
    absl::StrAppend(&addresses, absl::Hex(address), "\n");
  }
  LATHE_RETURN_IF_ERROR(WriteFile((root / "addresses").string(), addresses));
  LATHE_ASSIGN_OR_RETURN(const std::string printed,
                         RunBinutil(tools, "addr2line",
                                    {"-a", "-i", "-f", "-e", (root / "image").string(),
                                     absl::StrCat("@", (root / "addresses").string())}));
  std::map<uint64_t, int64_t> lines;
  uint64_t address = 0;
  std::string name;
  for (absl::string_view line : absl::StrSplit(printed, '\n')) {
    if (absl::StartsWith(line, "0x")) {
      address = Hex(line);
      name.clear();
    } else if (name.empty()) {
      name = std::string(line);
    } else {
      const std::pair<absl::string_view, absl::string_view> place =
          absl::StrSplit(line.substr(0, line.find(' ')), absl::MaxSplits(':', 1));
      const bool here = name == function && absl::EndsWith(place.first, source);
      if (here) lines[address] = static_cast<int64_t>(Number(place.second));
      name.clear();
    }
  }
  return lines;
}

bool IsStep(absl::string_view line) {
  return absl::EndsWith(line, ");") && absl::StrContains(line, "(") &&
         !absl::StartsWith(line, "if ") && !absl::StrContains(line, "*const ");
}

}  // namespace

absl::StatusOr<BoardProfile> ProfileBoardProgram(const BoardTools& tools, const std::string& folder,
                                                 const std::vector<std::string>& functions,
                                                 const emit::OutputFile& source,
                                                 const BoardRun& run) {
  const std::filesystem::path root(folder);
  LATHE_ASSIGN_OR_RETURN(auto symbols, SymbolsOf(tools, (root / "image").string()));
  std::string function;
  for (const std::string& name : functions) {
    if (function.empty() && symbols[name].size > 0) function = name;
  }
  if (function.empty()) return absl::UnavailableError("the image has no function symbols");
  LATHE_RETURN_IF_ERROR(BuildPlugin(root));
  const std::string file = (root / "profile").string();
  LATHE_RETURN_IF_ERROR(WriteFile(file, ""));
  const bool is_avr = tools.board->kind == BoardKind::kAvr;  // data addresses have 16 bits
  const uint64_t limit = symbols["board_stack_limit"].address & (is_avr ? 0xffff : ~uint64_t{0});
  // Symbols of Thumb functions have bit 0 set; the code is at even addresses.
  const auto code = [&](const std::string& name) {
    return absl::StrCat(symbols[name].address & ~uint64_t{1});
  };
  const auto path = [](const std::string& p) { return absl::StrReplaceAll(p, {{",", ",,"}}); };
  const std::string plugin =
      absl::StrCat(path((root / "profile.so").string()), ",begin=", code("board_count_from_here"),
                   ",end=", code("board_count_to_here"), ",low=", code(function),
                   ",high=", (symbols[function].address & ~uint64_t{1}) + symbols[function].size,
                   ",stack_low=", limit, ",stack_high=", run.stack_top, ",out=", path(file));
  LATHE_ASSIGN_OR_RETURN(const BoardRun again, RunBoardProgram(tools, folder, {"-plugin", plugin}));
  LATHE_ASSIGN_OR_RETURN(const std::string text, ReadFile(file));
  const std::vector<Counts> counts = ReadCounts(text, run.stack_top);
  if (again.outputs != run.outputs || counts.empty() || counts.size() % 2 != 0) {
    return absl::FailedPreconditionError("a second run on the board gives different results");
  }
  BoardProfile profile;
  Counts total;
  for (size_t i = 0; i < counts.size() / 2; ++i) {
    const Counts &first = counts[i], &second = counts[counts.size() / 2 + i];
    if (first.all != second.all) {
      return absl::FailedPreconditionError(
          absl::StrCat("the number of instructions depends on uninitialized memory: ", first.all,
                       " and ", second.all));
    }
    profile.of_run.push_back(first.all);
    Add(first, run.stack_top, total);
  }
  LATHE_ASSIGN_OR_RETURN(auto lines, LinesOf(tools, root, function, source.name, total));
  const std::vector<std::string> texts = absl::StrSplit(source.text, '\n');
  profile.instructions = total.all;
  std::map<int64_t, StepProfile> steps;  // by line; 0 for code outside of steps
  for (const auto& [address, count] : total.at) {
    const int64_t line = lines[address];
    std::string label;
    if (line > 0 && line <= std::ssize(texts)) {
      label = std::string(absl::StripAsciiWhitespace(texts[static_cast<size_t>(line - 1)]));
    }
    const bool is_step = IsStep(label);
    StepProfile& step = steps[is_step ? line : 0];
    step.line = is_step ? line : 0;
    step.step = is_step ? label : "entry, checks and addresses";
    step.instructions += count.first;
    step.stack = std::max(step.stack, run.stack_top - std::min(run.stack_top, count.second));
  }
  // The frame of the function is on the stack in every step.
  const uint64_t kept = steps[0].stack;
  for (auto& [line, step] : steps) {
    step.stack = std::max(step.stack, kept);
    profile.steps.push_back(std::move(step));
  }
  return profile;
}

std::string RenderProfile(const BoardProfile& profile, absl::string_view function, uint64_t stack) {
  std::string out;
  if (profile.of_run.size() > 1) {
    const auto [least, most] = std::minmax_element(profile.of_run.begin(), profile.of_run.end());
    absl::StrAppend(&out, "all ", profile.of_run.size(), " steps together; one takes ", *least,
                    *least == *most ? "" : absl::StrCat(" to ", *most), " instructions\n");
  }
  absl::StrAppendFormat(&out, "%12s %8s\n%12d %8d  %s\n", "instructions", "stack",
                        profile.instructions, stack, function);
  for (const StepProfile& step : profile.steps) {
    absl::StrAppendFormat(&out, "%12d %8d    %s\n", step.instructions, step.stack, step.step);
  }
  return out;
}

}  // namespace lathe::driver
