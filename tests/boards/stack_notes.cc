#include "tests/boards/stack_notes.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

namespace lathe {
namespace {

// Each of the reasons, which a comma divides, is a call that has no bound by its nature, or a
// function of a library that is not measured.
bool IsUnbounded(absl::string_view reasons, bool measures_library) {
  for (absl::string_view reason : absl::StrSplit(reasons, ", ")) {
    if (!measures_library && absl::EndsWith(reason, " is not measured")) continue;
    if (!absl::EndsWith(reason, " calls itself") &&
        !absl::EndsWith(reason, " calls through a pointer")) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool StackNotes::Note(const std::string& said, const std::string& program, bool deepest) {
  const size_t at = said.find("stack ");
  const std::string line = at == std::string::npos ? "nothing is said of the stack"
                                                   : said.substr(at, said.find('\n', at) - at);
  int64_t used = 0, bound = 0;
  const int found =
      std::sscanf(line.c_str(), "stack %" SCNd64 " B used, at most %" SCNd64, &used, &bound);
  const auto fails = [&] {
    std::printf("  %s: %s\n", program.c_str(), line.c_str());
    return false;
  };
  if (found == 0 || found == EOF) return fails();
  ++programs_;
  constexpr char kNoBound[] = "no bound: ";
  if (found == 1) {
    ++without_;
    const size_t why = line.find(kNoBound);
    return why != std::string::npos &&
                   IsUnbounded(line.substr(why + sizeof kNoBound - 1), measures_library_)
               ? true
               : fails();
  }
  const double ratio = static_cast<double>(bound) / static_cast<double>(std::max<int64_t>(used, 1));
  if (bound - used <= kSlack) {
    worst_slack_ = std::max(worst_slack_, bound - used);
    return true;
  }
  // "(model_run > model_matmul > expf)"
  const std::string last = line.substr(line.rfind(' ') + 1);
  const bool own = absl::StartsWith(last, "model_") || absl::StartsWith(last, "(model_") ||
                   absl::StartsWith(last, "lathe_");
  if (ratio > kMaxRatio && !own && !deepest) {
    ++library_;
    worst_library_ = std::max(worst_library_, ratio);
    return true;
  }
  worst_ = std::max(worst_, ratio);
  return ratio <= kMaxRatio ? true : fails();
}

std::string StackNotes::Summary() const {
  std::string out = absl::StrFormat(
      "%d programs, %d without a bound; bounds are at most %d bytes above what was used, or %.2f "
      "times it",
      programs_, without_, worst_slack_, worst_);
  if (library_ > 0) {
    absl::StrAppendFormat(&out,
                          "; %d are for other arguments of a library function, at most %.2f times",
                          library_, worst_library_);
  }
  return out;
}

}  // namespace lathe
