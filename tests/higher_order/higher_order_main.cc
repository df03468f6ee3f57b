// lathe_higher_order: generates programs with functions as values, and compares `run` and the
// compiled C with an independent evaluator, before and after graph passes.
//
//   lathe_higher_order --count 100 --seed 1 [--batch 25] [--problems 10] [--folder DIR] [--print]
//                      [--no-build] [--whole]
//
// Program n is made of seed + n alone. Each batch is built by one of the compilers and flags in
// turn, sanitizers among them. A problem is printed with its seed and the shortest program that
// has it; the exit code is 1 then, and where a program is refused.
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "tests/compiled/batch.h"
#include "tests/compiled/refusals.h"
#include "tests/higher_order/check_program.h"
#include "tests/higher_order/print_program.h"
#include "tests/higher_order/shrink.h"
#include "tests/higher_order/write_program.h"

namespace lathe::higher_order {
namespace {

struct Settings {
  int64_t count = 100;
  uint64_t seed = 1;
  int64_t batch = 25;
  int64_t problems = 1;  // how many are shown before it gives up
  bool print = false;
  bool build = true;
  bool whole = false;  // what has a problem is not made shorter
  std::string folder = LATHE_PROGRAMS_FOLDER;
};

// What a problem is, without the figures.
std::string KindOf(const std::string& problem) { return problem.substr(0, 12); }

class Session {
 public:
  explicit Session(const Settings& settings) : settings_(settings) {}

  int Run() {
    for (int64_t n = 0; n < settings_.count && problems_ < settings_.problems; ++n) {
      Add(settings_.seed + static_cast<uint64_t>(n));
      if (std::ssize(batch_) == settings_.batch) Flush();
    }
    Flush();
    refused_.Print("refused");
    std::printf("%lld programs: %lld compiled, %lld refused, %lld take too long; %lld runs\n",
                static_cast<long long>(seen_), static_cast<long long>(compiled_),
                static_cast<long long>(refused_.count()), static_cast<long long>(too_long_),
                static_cast<long long>(runs_));
    return problems_ == 0 && Enough() ? 0 : 1;
  }

 private:
  // Few programs of many may be beyond what is counted, and none may be refused.
  bool Enough() const { return too_long_ * 4 <= seen_ && refused_.count() == 0; }

  void Add(uint64_t seed) {
    ++seen_;
    const Program program = WriteProgram(seed);
    if (settings_.print) std::printf("%s", Print(program).c_str());
    const Plan plan = PlanFor(program, seed);
    Checked checked = Check(program, plan, absl::StrCat("p", seed));
    if (checked.too_long) {
      ++too_long_;
    } else if (!checked.problem.empty()) {
      const std::string kind = KindOf(checked.problem);
      Shorten(program, plan, checked.problem, [&](const Program& p) -> std::string {
        const Checked again = Check(p, plan, "shorter");
        return KindOf(again.problem) == kind ? again.problem : "";
      });
    } else if (!checked.refused.empty()) {
      refused_.Add(checked.refused, absl::StrCat("seed ", seed));
    } else if (checked.compiled) {
      ++compiled_;
      batch_.push_back(*std::move(checked.compiled));
      seeds_.push_back(seed);
    }
  }

  void Flush() {
    if (batch_.empty() || !settings_.build) return Forget();
    const driver::HostTools tools = tools_[static_cast<size_t>(turn_++) % tools_.size()];
    const std::vector<std::string> problems = compiled::Problems(batch_, tools, settings_.folder);
    for (size_t i = 0; i < problems.size() && problems_ < settings_.problems; ++i) {
      ++runs_;
      if (problems[i].empty()) continue;
      const Program program = WriteProgram(seeds_[i]);
      const Plan plan = PlanFor(program, seeds_[i]);
      const std::string what = absl::StrCat(compiled::Show(tools), ": ", problems[i]);
      const std::string kind = KindOf(problems[i]);
      Shorten(program, plan, what, [&](const Program& p) -> std::string {
        const Checked again = Check(p, plan, "shorter");
        if (!again.compiled) return "";
        const std::string found = compiled::Problems({*again.compiled}, tools, settings_.folder)[0];
        return KindOf(found) == kind ? found : "";
      });
    }
    Forget();
  }

  void Forget() {
    batch_.clear();
    seeds_.clear();
  }

  void Shorten(const Program& program, const Plan& plan, const std::string& what,
               const std::function<std::string(const Program&)>& problem) {
    ++problems_;
    std::printf("seed %llu: %s; making it shorter\n", static_cast<unsigned long long>(plan.seed),
                what.c_str());
    if (settings_.whole) {
      std::printf("%s", Print(program).c_str());
      return;
    }
    const Program least = Shrink(program, [&](const Program& p) { return !problem(p).empty(); });
    const std::string last = problem(least);
    std::printf("seed %llu, '%s' with length %lld: %s\n%s",
                static_cast<unsigned long long>(plan.seed), plan.function.c_str(),
                static_cast<long long>(plan.length), (last.empty() ? what : last).c_str(),
                Print(least).c_str());
  }

  const Settings settings_;
  const std::vector<driver::HostTools> tools_ = compiled::InstalledTools();
  std::vector<compiled::CompiledProgram> batch_;
  std::vector<uint64_t> seeds_;  // of batch_
  compiled::Refusals refused_;
  int64_t seen_ = 0, compiled_ = 0, too_long_ = 0;
  int64_t runs_ = 0, problems_ = 0, turn_ = 0;
};

bool Read(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--print") {
      settings.print = true;
    } else if (word == "--whole") {
      settings.whole = true;
    } else if (word == "--no-build") {
      settings.build = false;
    } else if (word == "--folder" && more) {
      settings.folder = argv[++i];
    } else if (word == "--count" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.count)) return false;
    } else if (word == "--seed" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.seed)) return false;
    } else if (word == "--batch" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.batch) || settings.batch < 1) return false;
    } else if (word == "--problems" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.problems)) return false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace
}  // namespace lathe::higher_order

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  lathe::higher_order::Settings settings;
  if (!lathe::higher_order::Read(argc, argv, settings)) {
    std::fprintf(stderr,
                 "usage: lathe_higher_order [--count N] [--seed N] [--batch N] [--problems N] "
                 "[--folder DIR] [--print] [--no-build] [--whole]\n");
    return 2;
  }
  return lathe::higher_order::Session(settings).Run();
}
