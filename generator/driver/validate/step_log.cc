#include "generator/driver/validate/step_log.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace lathe::driver {
namespace {

constexpr size_t kMaxShownLine = 60;

bool IsDecimal(absl::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), absl::ascii_isdigit);
}

absl::Status WrongLine(int64_t number, absl::string_view line, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("line ", number, " of the log: ", why, "; got '",
                                                 absl::CHexEscape(line.substr(0, kMaxShownLine)),
                                                 "'"));
}

}  // namespace

absl::StatusOr<StepLog> ReadStepLog(absl::string_view text, int steps) {
  StepLog log;
  int64_t number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(line);
    if (line.empty()) continue;
    std::vector<absl::string_view> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    const bool named = words[0] == "step";
    if (named) words.erase(words.begin());
    const bool is_pair = words.size() == 2 && IsDecimal(words[0]) && IsDecimal(words[1]);
    int step = 0;
    uint64_t ticks = 0;
    const bool has_step = is_pair && absl::SimpleAtoi(words[0], &step) && step < steps;
    const bool has_ticks = is_pair && absl::SimpleAtoi(words[1], &ticks);
    if (has_step && has_ticks) {
      log.ticks[step].push_back(ticks);
      continue;
    }
    // Without the word, two numbers may be a date or a measurement of the application.
    if (is_pair && named && !has_step) {
      return WrongLine(
          number, line,
          absl::StrCat("the function has steps 0 to ", steps - 1,
                       ": the log must be of the same model, target and options; '--prefer "
                       "speed' has the steps of a build with '--step'"));
    }
    if (is_pair && named) {
      return WrongLine(number, line, "the ticks must be a number of at most 64 bits");
    }
    ++log.other_lines;
  }
  if (!log.ticks.empty()) return log;
  return absl::InvalidArgumentError(
      "the log has no line 'step STEP TICKS'; define LATHE_AFTER_STEP to print one, see "
      "docs/steps.md");
}

double MedianOf(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return static_cast<double>(values[middle]);
  return (static_cast<double>(values[middle - 1]) + static_cast<double>(values[middle])) / 2;
}

}  // namespace lathe::driver
