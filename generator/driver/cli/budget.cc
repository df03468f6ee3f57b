#include "generator/driver/cli/budget.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/driver/options/parse_bytes.h"
#include "generator/support/status.h"
#include "generator/target/gpu.h"

namespace lathe::driver {
namespace {

// Returns the three largest functions: "net_matmul 612, net_run 180".
std::string LargestFunctions(const CodeMeasures& measures) {
  std::vector<std::pair<int64_t, std::string>> all;
  for (const auto& [name, size] : measures.sizes.functions) all.emplace_back(-size, name);
  std::sort(all.begin(), all.end());
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min<size_t>(all.size(), 3); ++i) {
    texts.push_back(absl::StrCat(all[i].second, " ", -all[i].first));
  }
  return absl::StrJoin(texts, ", ");
}

// Returns the tensors alive at the peak of the arena, largest first.
std::string ArenaOwners(const ModelReport& report) {
  const RoutineReport* most = nullptr;
  for (const RoutineReport& r : report.routines) {
    if (most == nullptr || r.ram > most->ram) most = &r;
  }
  std::vector<std::string> owners;
  for (const PeakReport& peak : most == nullptr ? std::vector<PeakReport>() : most->peaks) {
    if (peak.owners.empty()) continue;
    owners.push_back(
        absl::StrCat("at step ", peak.step, " of ", most->name, ": ", OwnersText(peak)));
  }
  return absl::StrJoin(owners, "; ");
}

}  // namespace

absl::StatusOr<Budget> ReadBudget(const Arguments& args) {
  Budget budget;
  for (const auto& [option, into] : {std::pair("--max-ram", &budget.ram),
                                     {"--max-arena", &budget.arena},
                                     {"--max-flash", &budget.flash},
                                     {"--max-stack", &budget.stack}}) {
    if (!args.Has(option)) continue;
    const auto bytes = ParseBytes(args.Value(option));
    if (!bytes.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("in option '", option, "', ", bytes.status().message()));
    }
    *into = *bytes;
    // CheckOptionsForGpus rejects the options that GPUs do not support.
    if (into != &budget.ram && into != &budget.arena && !args.Has("--cc") &&
        !NamesGpus(args.Value("--target"))) {
      return absl::InvalidArgumentError(
          absl::StrCat("option '", option, "' needs --cc, the compiler that measures it"));
    }
  }
  return budget;
}

std::vector<std::string> ExceededBudgets(const Budget& budget, const ModelReport& report) {
  std::vector<std::string> out;
  const auto line = [&](absl::string_view what, const std::string& needs, int64_t most,
                        const std::string& largest) {
    out.push_back(absl::StrCat(what, ": ", needs, ", but the budget is ", most,
                               largest.empty() ? "" : absl::StrCat("\n  largest: ", largest)));
  };
  const char* open =
      " bytes and memory for dynamic sizes and recursion (-D n=4 or -D n=LOW..HIGH bounds a size "
      "n)";
  const RamReport& ram = report.ram;
  if (budget.arena && (ram.arena > *budget.arena || report.open)) {
    line("arena", absl::StrCat(ram.arena, report.open ? open : " bytes are needed"), *budget.arena,
         ArenaOwners(report));
  }
  if (budget.ram && (ram.total() > *budget.ram || report.open || ram.open)) {
    const bool bounded = !report.open && !ram.open;
    line("RAM",
         absl::StrCat(ram.total(), bounded ? " bytes are needed: " : absl::StrCat(open, ": "),
                      "arena ", ram.arena, ", inputs ", ram.inputs, ", outputs ", ram.outputs,
                      ram.state > 0 ? absl::StrCat(", state ", ram.state) : "", ", instance ",
                      ram.instance),
         *budget.ram, ArenaOwners(report));
  }
  if (!report.measures) return out;
  const CodeMeasures& measures = *report.measures;
  if (budget.flash && measures.flash() > *budget.flash) {
    line(
        "flash",
        absl::StrCat(measures.flash(), " bytes are needed, ", measures.weights, " of them weights"),
        *budget.flash, LargestFunctions(measures));
  }
  if (budget.stack && !measures.stack) {
    out.push_back(absl::StrCat("stack: unbounded, but the budget is ", *budget.stack, ": ",
                               absl::StrJoin(measures.stack_unbounded, ", "),
                               "\n  without these it takes ", measures.stack_known,
                               " bytes; --stack-of NAME=BYTES sets the stack use of a function"));
  } else if (budget.stack && *measures.stack > *budget.stack) {
    line("stack", absl::StrCat(*measures.stack, " bytes are needed"), *budget.stack,
         measures.stack_path);
  }
  return out;
}

}  // namespace lathe::driver
