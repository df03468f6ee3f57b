#include "generator/driver/budget.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "generator/support/status.h"
#include "generator/target/gpu.h"

namespace lathe::driver {
namespace {

// The three largest functions: "net_matmul 612, net_run 180".
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

}  // namespace

absl::StatusOr<int64_t> ParseBytes(absl::string_view text) {
  const auto wrong = [&, whole = text] {
    return absl::InvalidArgumentError(
        absl::StrCat("a size is a number of bytes, as 65536, 64K or 64KiB; got '", whole, "'"));
  };
  int64_t unit = 1;
  absl::string_view number = text;
  if (absl::ConsumeSuffix(&number, "B")) absl::ConsumeSuffix(&number, "i");
  for (const auto& [letter, bytes] : {std::pair("K", 1 << 10), {"M", 1 << 20}, {"G", 1 << 30}}) {
    if (absl::ConsumeSuffix(&number, letter)) {
      unit = bytes;
      break;
    }
  }
  int64_t value = 0;
  if (!absl::SimpleAtoi(number, &value) || value < 0 ||
      __builtin_mul_overflow(value, unit, &value)) {
    return wrong();
  }
  return value;
}

absl::StatusOr<Budget> ReadBudget(const Arguments& args) {
  Budget budget;
  for (const auto& [option, into] : {std::pair("--max-ram", &budget.ram),
                                     {"--max-flash", &budget.flash},
                                     {"--max-stack", &budget.stack}}) {
    if (!args.Has(option)) continue;
    const auto bytes = ParseBytes(args.Value(option));
    if (!bytes.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("in option '", option, "', ", bytes.status().message()));
    }
    *into = *bytes;
    // That GPUs have none of them is said with the other options.
    if (into != &budget.ram && !args.Has("--cc") && !NamesGpus(args.Value("--target"))) {
      return absl::InvalidArgumentError(
          absl::StrCat("option '", option, "' needs --cc, the compiler that measures it"));
    }
  }
  return budget;
}

std::vector<std::string> Exceeded(const Budget& budget, const ModelReport& report) {
  std::vector<std::string> out;
  const auto line = [&](absl::string_view what, const std::string& needs, int64_t most,
                        const std::string& largest) {
    out.push_back(absl::StrCat(what, ": ", needs, ", and the budget is ", most,
                               largest.empty() ? "" : absl::StrCat("\n  largest: ", largest)));
  };
  if (budget.ram && (report.ram > *budget.ram || report.open)) {
    const RoutineReport* most = nullptr;
    for (const RoutineReport& r : report.routines) {
      if (most == nullptr || r.ram > most->ram) most = &r;
    }
    std::vector<std::string> owners;
    for (const PeakReport& peak : most == nullptr ? std::vector<PeakReport>() : most->peaks) {
      if (peak.owners.empty()) continue;
      owners.push_back(absl::StrCat("at step ", peak.step, " of ", most->name, ": ",
                                    absl::StrJoin(peak.owners, ", ")));
    }
    const char* open = report.open
                           ? " bytes and what the sizes and the recursion of a run take (-D n=4 or "
                             "-D n=LOW..HIGH bounds a size n)"
                           : " bytes are needed";
    line("RAM", absl::StrCat(report.ram, open), *budget.ram, absl::StrJoin(owners, "; "));
  }
  if (!report.measures) return out;
  if (budget.flash && *report.flash() > *budget.flash) {
    line("flash",
         absl::StrCat(*report.flash(), " bytes are needed, ", report.weights, " of them weights"),
         *budget.flash, LargestFunctions(*report.measures));
  }
  if (budget.stack && (!report.measures->stack || *report.measures->stack > *budget.stack)) {
    line("stack",
         report.measures->stack ? absl::StrCat(*report.measures->stack, " bytes are needed")
                                : "there is no bound",
         *budget.stack, report.measures->stack_path);
  }
  return out;
}

}  // namespace lathe::driver
