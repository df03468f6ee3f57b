// lathe_onnx: runs the cases of a folder of ONNX's node tests, by the interpreter and as compiled
// C, and prints for each family how many pass and why the others do not.
//
//   lathe_onnx FOLDER [--only TEXT] [--interp] [--verbose] [--batch N] [--work DIR] [--cc CC]
//              [--cflags FLAGS] [--target NAME] [--known FILE] [--graphs]
//
// --target generates for another target than generic-c99: the C of some cores runs here too, and of
// this machine with its flags. --only takes the cases whose name has TEXT in it; --interp compiles
// none; --verbose prints a line for each case. The exit code is 1 when a case fails. --known names
// a file with the cases that are known to fail, "case | reason" each: the exit code is 1 then when
// another fails, or one of them passes. It is 77 where there are no cases. --graphs is for models
// of several nodes: what is not supported does not fail, each node may round, and quantised
// operators are as they are defined.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "generator/support/files.h"
#include "tests/compiled/batch.h"
#include "tests/onnx/node_case.h"

namespace lathe::onnx {
namespace {

// What ctest takes for a test that was skipped.
constexpr int kSkipped = 77;

struct Settings {
  std::string folder;
  std::string only;
  std::string work = "onnx_cases";
  std::string cc = "gcc";
  std::string cflags = "-O2";
  const Target* target = FindTarget("generic-c99");
  std::string known;
  bool graphs = false;
  int64_t batch = 40;
  bool interpreted_only = false;
  bool verbose = false;
};

struct Tally {
  int cases = 0, interpreted = 0, compiled = 0, unsupported = 0;
};

// Numbers and quoted names say which, not why.
std::string ReasonOf(const std::string& problem) {
  std::string reason;
  bool quoted = false;
  for (const char c : problem.substr(0, problem.find('\n'))) {
    if (c == '\'') quoted = !quoted;
    if (quoted && c != '\'') continue;
    reason += c >= '0' && c <= '9' ? '#' : c;
  }
  return absl::StrReplaceAll(reason, {{"##", "#"}}).substr(0, 110);
}

class Session {
 public:
  explicit Session(Settings settings) : settings_(std::move(settings)) {}

  int Run() {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(settings_.folder, error)) {
      if (!entry.is_directory()) continue;
      const std::string name = entry.path().filename().string();
      if (absl::StrContains(name, settings_.only)) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) Add(name);
    Flush();
    Summarize();
    if (names.empty()) {
      std::printf("skipped: no cases in '%s'\n", settings_.folder.c_str());
      return kSkipped;
    }
    return settings_.known.empty() ? !failed_.empty() : CompareWithKnown(names);
  }

 private:
  void Add(const std::string& name) {
    NodeCase c = LoadCase((std::filesystem::path(settings_.folder) / name).string(), name,
                          settings_.interpreted_only ? nullptr : settings_.target, Tolerance(),
                          settings_.graphs);
    Tally& tally = tallies_[c.family];
    ++tally.cases;
    if (c.interpreted.empty()) ++tally.interpreted;
    if (c.is_unsupported) ++tally.unsupported;
    if (settings_.interpreted_only || !c.refused.empty() || c.programs.empty()) {
      const std::string why = !c.interpreted.empty() ? c.interpreted : c.refused;
      return Say(c, why);
    }
    if (!c.interpreted.empty()) ++interpreter_only_[ReasonOf(c.interpreted)];
    waiting_.push_back(std::move(c));
    if (std::ssize(waiting_) >= settings_.batch) Flush();
  }

  driver::Tolerance Tolerance() const { return settings_.graphs ? kToleranceOfGraphs : kTolerance; }

  void Flush() {
    std::vector<compiled::CompiledProgram> programs;
    for (const NodeCase& c : waiting_) programs.push_back(c.programs[0]);
    if (programs.empty()) return;
    const auto problems =
        compiled::Problems(programs, {settings_.cc, absl::StrSplit(settings_.cflags, ' ')},
                           settings_.work, Tolerance());
    for (size_t i = 0; i < waiting_.size(); ++i) {
      if (problems[i].empty()) ++tallies_[waiting_[i].family].compiled;
      Say(waiting_[i], problems[i].empty() ? "" : absl::StrCat("compiled: ", problems[i]));
    }
    waiting_.clear();
  }

  void Say(const NodeCase& c, const std::string& why) {
    if (!why.empty()) {
      if (!settings_.graphs || !c.is_unsupported) failed_.insert(c.name);
      const std::string reason = ReasonOf(why);
      ++reasons_[reason].first;
      std::string& names = reasons_[reason].second;
      if (names.size() < 70) absl::StrAppend(&names, " ", c.name);
    }
    if (settings_.verbose) {
      const char* unsupported = settings_.graphs && c.is_unsupported ? "unsupported: " : "";
      std::printf("%s\t%s%s\n", c.name.c_str(), unsupported,
                  why.empty() ? "pass" : why.substr(0, why.find('\n')).c_str());
    }
  }

  // 0 when just those cases of `names` fail that the file says.
  int CompareWithKnown(const std::vector<std::string>& names) const {
    const auto text = ReadFile(settings_.known);
    if (!text.ok()) {
      std::printf("%s\n", std::string(text.status().message()).c_str());
      return 1;
    }
    std::set<std::string> known;
    int wrong = 0;
    for (absl::string_view line : absl::StrSplit(*text, '\n')) {
      if (line.empty() || line[0] == '#') continue;
      const std::vector<absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits(" | ", 1));
      if (parts.size() != 2 || parts[1].empty() || !known.emplace(parts[0]).second) {
        std::printf("no case with its reason: %s\n", std::string(line).c_str());
        ++wrong;
      }
    }
    for (const std::string& name : names) {
      if (known.count(name) == failed_.count(name)) continue;
      std::printf("%s %s\n", name.c_str(), known.count(name) ? "passes now" : "fails");
      ++wrong;
    }
    for (const std::string& name : known) {
      if (absl::StrContains(name, settings_.only) &&
          std::find(names.begin(), names.end(), name) == names.end()) {
        std::printf("%s is none of the cases\n", name.c_str());
        ++wrong;
      }
    }
    return wrong == 0 ? 0 : 1;
  }

  void Summarize() const {
    Tally all;
    std::printf("%-24s %6s %12s %9s\n", "family", "cases", "interpreted", "compiled");
    for (const auto& [family, t] : tallies_) {
      if (t.compiled != t.cases || t.interpreted != t.cases) {
        std::printf("%-24s %6d %12d %9d\n", family.c_str(), t.cases, t.interpreted, t.compiled);
      }
      all.cases += t.cases;
      all.interpreted += t.interpreted;
      all.compiled += t.compiled;
      all.unsupported += t.unsupported;
    }
    std::printf("%-24s %6d %12d %9d\n", "all families", all.cases, all.interpreted, all.compiled);
    std::printf("%d are not supported\n", all.unsupported);
    std::vector<std::pair<int, std::string>> reasons;
    for (const auto& [reason, entry] : reasons_) {
      reasons.emplace_back(-entry.first, absl::StrCat(reason, "\n         ", entry.second));
    }
    std::sort(reasons.begin(), reasons.end());
    for (const auto& [count, reason] : reasons) std::printf("%6d %s\n", -count, reason.c_str());
    for (const auto& [reason, count] : interpreter_only_) {
      std::printf("%6d by the interpreter alone: %s\n", count, reason.c_str());
    }
  }

  const Settings settings_;
  std::map<std::string, Tally> tallies_;
  std::vector<NodeCase> waiting_;
  std::map<std::string, std::pair<int, std::string>> reasons_;
  std::map<std::string, int> interpreter_only_;
  std::set<std::string> failed_;
};

bool Read(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--interp") {
      settings.interpreted_only = true;
    } else if (word == "--graphs") {
      settings.graphs = true;
    } else if (word == "--cflags" && more) {
      settings.cflags = argv[++i];
    } else if (word == "--target" && more) {
      settings.target = FindTarget(argv[++i]);
      if (settings.target == nullptr) return false;
    } else if (word == "--verbose") {
      settings.verbose = true;
    } else if (word == "--only" && more) {
      settings.only = argv[++i];
    } else if (word == "--work" && more) {
      settings.work = argv[++i];
    } else if (word == "--cc" && more) {
      settings.cc = argv[++i];
    } else if (word == "--known" && more) {
      settings.known = argv[++i];
    } else if (word == "--batch" && more) {
      if (!absl::SimpleAtoi(argv[++i], &settings.batch) || settings.batch < 1) return false;
    } else if (settings.folder.empty() && !absl::StartsWith(word, "--")) {
      settings.folder = word;
    } else {
      return false;
    }
  }
  return !settings.folder.empty();
}

}  // namespace
}  // namespace lathe::onnx

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  lathe::onnx::Settings settings;
  if (!lathe::onnx::Read(argc, argv, settings)) {
    std::fprintf(stderr,
                 "usage: lathe_onnx FOLDER [--only TEXT] [--interp] [--verbose] [--batch N] "
                 "[--work DIR] [--cc CC] [--cflags FLAGS] [--target NAME] [--known FILE] "
                 "[--graphs]\n");
    return 2;
  }
  return lathe::onnx::Session(std::move(settings)).Run();
}
