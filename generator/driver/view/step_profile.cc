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

// The widths of the columns that depend on names.
struct ProfileWidths {
  int name = 4;
  int op = 2;
};

ProfileWidths WidthsOf(const StepProfileView& profile, const std::vector<ProfileRow>& rows) {
  constexpr int kWidestName = 32, kWidestOp = 28;
  ProfileWidths widths;
  for (const ProfileRow& row : rows) {
    const StepReport& step = profile.routine->steps[static_cast<size_t>(row.step)];
    widths.name = std::clamp(static_cast<int>(step.name.size()), widths.name, kWidestName);
    widths.op = std::clamp(static_cast<int>(step.op.size()), widths.op, kWidestOp);
  }
  return widths;
}

std::string ProfileHeading(const StepProfileView& profile, ProfileWidths widths) {
  std::string out =
      absl::StrFormat("   #  %-*s %-*s %12s", widths.name, "step", widths.op, "op", "MACs");
  if (profile.log) {
    absl::StrAppendFormat(&out, " %12s %6s %5s %9s", "ticks", "share", "runs", "/MAC");
  }
  if (profile.counts) absl::StrAppendFormat(&out, " %12s", "instructions");
  if (profile.log && profile.counts) absl::StrAppendFormat(&out, " %10s", "ticks/inst");
  return absl::StrCat(out, "\n");
}

// Returns the line of a step; `sum` are the ticks of all steps.
std::string ProfileLine(const StepProfileView& profile, const ProfileRow& row, double sum,
                        ProfileWidths widths) {
  const StepReport& step = profile.routine->steps[static_cast<size_t>(row.step)];
  std::string out =
      absl::StrFormat("%4d  %-*.*s %-*.*s %12s", row.step, widths.name, widths.name, step.name,
                      widths.op, widths.op, step.op, step.macs ? GroupDigits(*step.macs) : "?");
  if (profile.log) {
    std::optional<double> macs;
    if (step.macs) macs = static_cast<double>(*step.macs);
    absl::StrAppendFormat(
        &out, " %12s %6s %5d %9s", row.ticks ? GroupDigitsOfReal(*row.ticks) : "?",
        row.ticks && sum > 0 ? absl::StrFormat("%.1f%%", 100 * *row.ticks / sum) : "", row.runs,
        Ratio(row.ticks, macs));
  }
  const std::optional<double> instructions = AsReal(row.instructions);
  if (profile.counts) {
    absl::StrAppendFormat(&out, " %12s", instructions ? GroupDigitsOfReal(*instructions) : "?");
  }
  if (profile.log && profile.counts) {
    absl::StrAppendFormat(&out, " %10s", Ratio(row.ticks, instructions));
  }
  return absl::StrCat(out, "\n");
}

std::string ProfileSums(const StepProfileView& profile, double sum) {
  std::string out;
  if (profile.log) {
    absl::StrAppend(&out, "ticks  ", GroupDigitsOfReal(sum),
                    " in all steps, each the median of its runs\n");
  }
  if (profile.counts) {
    absl::StrAppend(&out, "instructions  ",
                    GroupDigitsOfReal(static_cast<double>(profile.counts->instructions)),
                    " in one run on qemu:", profile.board, "; they are not cycles\n");
  }
  return out;
}

}  // namespace

std::string ProfileAsText(const StepProfileView& profile) {
  const std::vector<ProfileRow> rows = RowsOf(profile);
  const double sum = SumOfTicks(rows);
  const ProfileWidths widths = WidthsOf(profile, rows);
  std::string out = ProfileHeading(profile, widths);
  for (const ProfileRow& row : rows) absl::StrAppend(&out, ProfileLine(profile, row, sum, widths));
  return absl::StrCat(out, ProfileSums(profile, sum));
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
