#include "generator/driver/view/step_profile.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "generator/driver/view/group_digits.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

// A step that the log or the counts contain.
struct ProfileRow {
  int step = 0;
  std::optional<double> ticks;
  size_t runs = 0;
  std::optional<uint64_t> least, most;  // ticks
  std::optional<uint64_t> instructions;
};

std::vector<ProfileRow> RowsOf(const StepProfileView& profile) {
  std::vector<ProfileRow> rows;
  for (int step = 0; step < std::ssize(profile.routine->steps); ++step) {
    ProfileRow row;
    row.step = step;
    if (profile.log) {
      const auto it = profile.log->ticks.find(step);
      if (it != profile.log->ticks.end()) {
        row.ticks = MedianOf(it->second);
        row.runs = it->second.size();
        row.least = *std::min_element(it->second.begin(), it->second.end());
        row.most = *std::max_element(it->second.begin(), it->second.end());
      }
    }
    if (profile.counts) {
      const auto it = profile.counts->of_step.find(step);
      if (it != profile.counts->of_step.end()) row.instructions = it->second;
    }
    const bool is_kernel = !profile.routine->steps[static_cast<size_t>(step)].kernel.empty();
    if (row.ticks || row.instructions || is_kernel) rows.push_back(row);
  }
  return rows;
}

double SumOfTicks(const std::vector<ProfileRow>& rows) {
  double sum = 0;
  for (const ProfileRow& row : rows) sum += row.ticks.value_or(0);
  return sum;
}

std::string Ratio(std::optional<double> of, std::optional<double> by) {
  if (!of || !by || *by == 0) return "";
  return absl::StrFormat("%.2f", *of / *by);
}

std::optional<double> AsReal(std::optional<uint64_t> number) {
  if (!number) return std::nullopt;
  return static_cast<double>(*number);
}

}  // namespace

std::string ProfileAsText(const StepProfileView& profile) {
  const std::vector<ProfileRow> rows = RowsOf(profile);
  const double sum = SumOfTicks(rows);
  size_t op_width = 2, name_width = 4;
  for (const ProfileRow& row : rows) {
    const StepReport& step = profile.routine->steps[static_cast<size_t>(row.step)];
    op_width = std::clamp<size_t>(step.op.size(), op_width, 28);
    name_width = std::clamp<size_t>(step.name.size(), name_width, 32);
  }
  std::string out = absl::StrFormat("   #  %-*s %-*s %12s", static_cast<int>(name_width), "step",
                                    static_cast<int>(op_width), "op", "MACs");
  if (profile.log)
    absl::StrAppendFormat(&out, " %12s %6s %5s %9s", "ticks", "share", "runs", "/MAC");
  if (profile.counts) absl::StrAppendFormat(&out, " %12s", "instructions");
  if (profile.log && profile.counts) absl::StrAppendFormat(&out, " %10s", "ticks/inst");
  out += "\n";
  for (const ProfileRow& row : rows) {
    const StepReport& step = profile.routine->steps[static_cast<size_t>(row.step)];
    absl::StrAppendFormat(&out, "%4d  %-*s %-*s %12s", row.step, static_cast<int>(name_width),
                          step.name.substr(0, name_width), static_cast<int>(op_width),
                          step.op.substr(0, op_width), step.macs ? GroupDigits(*step.macs) : "?");
    if (profile.log) {
      std::optional<double> macs;
      if (step.macs) macs = static_cast<double>(*step.macs);
      absl::StrAppendFormat(
          &out, " %12s %6s %5d %9s",
          row.ticks ? GroupDigits(static_cast<int64_t>(*row.ticks)) : "?",
          row.ticks && sum > 0 ? absl::StrFormat("%.1f%%", 100 * *row.ticks / sum) : "", row.runs,
          Ratio(row.ticks, macs));
    }
    if (profile.counts) {
      absl::StrAppendFormat(
          &out, " %12s",
          row.instructions ? GroupDigits(static_cast<int64_t>(*row.instructions)) : "?");
    }
    if (profile.log && profile.counts) {
      absl::StrAppendFormat(&out, " %10s", Ratio(row.ticks, AsReal(row.instructions)));
    }
    out += "\n";
  }
  if (profile.log) {
    absl::StrAppend(&out, "ticks  ", GroupDigits(static_cast<int64_t>(sum)),
                    " in all steps, each the median of its runs\n");
  }
  if (profile.counts) {
    absl::StrAppend(&out, "instructions  ",
                    GroupDigits(static_cast<int64_t>(profile.counts->instructions)),
                    " in one run on qemu:", profile.board, "; they are not cycles\n");
  }
  return out;
}

Json ProfileAsJson(const StepProfileView& profile) {
  const auto or_null = [](const auto& number) { return number ? Json(*number) : Json(nullptr); };
  Json steps = Json::array();
  const std::vector<ProfileRow> rows = RowsOf(profile);
  for (const ProfileRow& row : rows) {
    const StepReport& step = profile.routine->steps[static_cast<size_t>(row.step)];
    steps.push_back(Json{{"step", row.step},
                         {"name", step.name},
                         {"op", step.op},
                         {"kernel", step.kernel.empty() ? Json(nullptr) : Json(step.kernel)},
                         {"place", step.place.empty() ? Json(nullptr) : Json(step.place)},
                         {"macs", or_null(step.macs)},
                         {"ticks", or_null(row.ticks)},
                         {"ticks_least", or_null(row.least)},
                         {"ticks_most", or_null(row.most)},
                         {"runs", row.runs},
                         {"instructions", or_null(row.instructions)}});
  }
  return Json{{"schema_version", 1},
              {"model", profile.model},
              {"target", profile.target},
              {"function", profile.routine->name},
              {"board", profile.board.empty() ? Json(nullptr) : Json(profile.board)},
              {"ticks", profile.log ? Json(SumOfTicks(rows)) : Json(nullptr)},
              {"instructions", profile.counts ? Json(profile.counts->instructions) : Json(nullptr)},
              {"other_lines", profile.log ? Json(profile.log->other_lines) : Json(nullptr)},
              {"steps", std::move(steps)}};
}

}  // namespace lathe::driver
