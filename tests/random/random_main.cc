// lathe_random: generates programs, and checks that graph passes preserve them.
//
//   lathe_random --count 300 --seed 1 [--rows 1] [--problems 10] [--print] [--list]
//
// Program n is made of seed + n alone. It goes through every pass, and through two rows of passes
// taken at random; with --rows N through only so many of all these. A problem is printed with the
// seed, the passes and the shortest program that has it; the exit code is 1 then, and when some
// operator never came.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/ops/ops.h"
#include "generator/transform/reduce/reduce_program.h"
#include "tests/random/check_program.h"
#include "tests/random/op_rows.h"
#include "tests/random/write_program.h"

namespace lathe::random {
namespace {

struct Settings {
  int64_t count = 300;
  uint64_t seed = 1;
  int64_t rows = 0;      // of passes that each program goes through; 0: all
  int64_t problems = 1;  // how many are shown before it gives up
  bool print = false;    // each program
  bool list = false;     // what the programs were made of
};

class Session {
 public:
  explicit Session(const Settings& settings) : settings_(settings) {}

  int Run() {
    for (int64_t n = 0; n < settings_.count; ++n) {
      Check(settings_.seed + static_cast<uint64_t>(n));
      if (problems_ >= settings_.problems) return 1;
    }
    if (settings_.list) List();
    std::printf("%lld programs, %lld run to the end, %lld comparisons\n",
                static_cast<long long>(settings_.count), static_cast<long long>(run_),
                static_cast<long long>(compared_));
    const bool complete = Complete();
    return problems_ == 0 && complete ? 0 : 1;
  }

 private:
  void Check(uint64_t seed) {
    ir::Context context;
    auto program = WriteProgram(context, seed);
    if (!program.ok()) {
      std::printf("seed %llu: not a program: %s\n", static_cast<unsigned long long>(seed),
                  std::string(program.status().message()).c_str());
      ++problems_;
      return;
    }
    const ir::Module& module = program->module;
    if (settings_.print) std::printf("%s", ir::PrintTvmScript(module, {}).c_str());
    const Outcome wanted = RunMain(context, module, program->sizes);
    if (wanted.value) {
      ++run_;
    } else {
      ++failed_[wanted.why.substr(0, wanted.why.find('\n'))];
      if (settings_.print) std::printf("%s\n", wanted.why.c_str());
    }
    tally_.Add(program->tally);
    Dice dice(seed ^ 0x5eed);
    const std::vector<std::string> names = PassNames();
    std::vector<std::vector<std::string>> rows = {{}};
    for (const std::string& name : names) rows.push_back({name});
    for (int i = 0; i < 2; ++i) {
      std::vector<std::string> row;
      for (int64_t n = dice.Between(2, 6); n > 0; --n) row.push_back(dice.From(names));
      rows.push_back(row);
    }
    if (settings_.rows > 0) {
      dice.Shuffle(rows);
      rows.resize(std::min(rows.size(), static_cast<size_t>(settings_.rows)));
    }
    const size_t printed = dice.Below(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto problem = [&](const ir::Module& m, const Outcome& outcome) {
        return Problem(context, m, program->sizes, outcome, rows[i], i == printed);
      };
      std::string found = problem(module, wanted);
      if (wanted.value) ++compared_;
      if (found.empty()) continue;
      const auto fails = [&](const ir::Module& m) {
        if (!m.Find("main")) return false;
        const Outcome outcome = RunMain(context, m, program->sizes);
        return outcome.value.has_value() == wanted.value.has_value() &&
               !problem(m, outcome).empty();
      };
      const ir::Module least = transform::ReduceProgram(context, module, {fails});
      found = problem(least, RunMain(context, least, program->sizes));
      std::printf("seed %llu, passes %s: %s\n%s", static_cast<unsigned long long>(seed),
                  absl::StrJoin(rows[i], ",").c_str(), found.c_str(),
                  ir::PrintTvmScript(least, {}).c_str());
      ++problems_;
      return;
    }
  }

  void List() const {
    for (const auto& [name, count] : tally_.ops) {
      std::printf("%8lld %s\n", static_cast<long long>(count), name.c_str());
    }
    for (const auto& [name, count] : tally_.forms) {
      std::printf("%8lld %s\n", static_cast<long long>(count), name.c_str());
    }
    for (const auto& [why, count] : failed_) {
      std::printf("%8lld fail when run: %s\n", static_cast<long long>(count), why.c_str());
    }
  }

  // Every operator was called, or stands among the exceptions; enough programs could be run.
  bool Complete() const {
    bool complete = true;
    const auto excepted = [](const std::string& name) {
      for (const Exception& exception : NotGenerated()) {
        if (name == exception.op) return true;
      }
      return false;
    };
    for (const ir::Op& op : ops::AllOps()) {
      const bool called = tally_.ops.count(op.name) > 0;
      if (called != excepted(op.name)) continue;
      std::printf("%s: %s\n", op.name.c_str(),
                  called ? "is called, though it is excepted" : "was never called");
      complete = false;
    }
    if (run_ * 100 >= settings_.count * 97) return complete;
    std::printf("only %lld programs of %lld ran to the end\n", static_cast<long long>(run_),
                static_cast<long long>(settings_.count));
    return false;
  }

  const Settings settings_;
  Tally tally_;
  std::map<std::string, int64_t> failed_;
  int64_t run_ = 0, compared_ = 0, problems_ = 0;
};

bool Read(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--print") {
      settings.print = true;
    } else if (word == "--list") {
      settings.list = true;
    } else if (word == "--count" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.count)) return false;
    } else if (word == "--seed" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.seed)) return false;
    } else if (word == "--rows" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.rows)) return false;
    } else if (word == "--problems" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.problems)) return false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace
}  // namespace lathe::random

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  lathe::random::Settings settings;
  if (!lathe::random::Read(argc, argv, settings)) {
    std::fprintf(stderr,
                 "usage: lathe_random [--count N] [--seed N] [--rows N] [--problems N] "
                 "[--print] [--list]\n");
    return 2;
  }
  return lathe::random::Session(settings).Run();
}
