#include "generator/driver/validate/run_times.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

// Parses a line "what: value".
bool Take(absl::string_view line, absl::string_view what, std::string& value) {
  if (!absl::ConsumePrefix(&line, what) || !absl::ConsumePrefix(&line, ": ")) return false;
  value = std::string(line);
  return true;
}

}  // namespace

absl::StatusOr<RunTimes> ReadRunTimes(absl::string_view printed) {
  RunTimes times;
  for (absl::string_view line : absl::StrSplit(printed, '\n', absl::SkipEmpty())) {
    std::string value;
    double milliseconds = 0;
    if (Take(line, "device", times.device)) continue;
    if (Take(line, "captured", value)) {
      times.captured = value == "1";
      continue;
    }
    if (Take(line, "workspace", value) && absl::SimpleAtoi(value, &times.workspace)) continue;
    if (!Take(line, "run", value) || !absl::SimpleAtod(value, &milliseconds)) {
      return absl::InternalError(absl::StrCat("the compiled program printed '", line, "'"));
    }
    times.each.push_back(milliseconds * 1000);
  }
  if (times.each.empty()) return absl::InternalError("the compiled program printed no times");
  return times;
}

double Percentile(const RunTimes& times, int percent) {
  std::vector<double> sorted = times.each;
  std::sort(sorted.begin(), sorted.end());
  const size_t count = sorted.size();
  const size_t rank = (count * static_cast<size_t>(percent) + 99) / 100;
  return sorted[std::min(std::max<size_t>(rank, 1), count) - 1];
}

std::string RenderRunTimes(const RunTimes& times, const std::string& function) {
  return absl::StrFormat(
      "%s on %s%s\n"
      "  median      %12.1f us\n"
      "  least       %12.1f us\n"
      "  90 of 100   %12.1f us\n"
      "  runs        %12d\n"
      "  workspace   %12d B\n",
      function, times.device, times.captured ? ", from a CUDA graph" : "", Percentile(times, 50),
      Percentile(times, 0), Percentile(times, 90), times.each.size(), times.workspace);
}

std::string RenderRunTimesAsJson(const RunTimes& times, const std::string& function) {
  const nlohmann::ordered_json all = {{"function", function},
                                      {"device", times.device},
                                      {"cuda_graph", times.captured},
                                      {"runs", times.each.size()},
                                      {"median_us", Percentile(times, 50)},
                                      {"least_us", Percentile(times, 0)},
                                      {"p90_us", Percentile(times, 90)},
                                      {"workspace_bytes", times.workspace},
                                      {"each_us", times.each}};
  return all.dump(2) + "\n";
}

}  // namespace lathe::driver
