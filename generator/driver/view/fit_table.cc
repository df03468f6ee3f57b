#include "generator/driver/view/fit_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "generator/driver/view/group_digits.h"
#include "generator/driver/view/report_table.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

// Returns "fits", or what is missing: "RAM: 1 854 B too little".
std::string Verdict(const FitRow& row) {
  if (!row.why_not_compiled.empty()) return absl::StrCat("not compiled: ", row.why_not_compiled);
  if (row.fits()) return "fits";
  std::vector<std::string> missing;
  const auto look = [&](absl::string_view what, std::optional<int64_t> need, int64_t there) {
    if (!need) {
      missing.push_back(absl::StrCat(what, ": no bound"));
    } else if (*need > there) {
      missing.push_back(absl::StrCat(what, ": ", GroupDigits(*need - there), " B too little"));
    }
  };
  look("RAM", row.ram, row.board->ram);
  if (row.measured && !row.stack) {
    missing.push_back(
        absl::StrCat("stack: no bound", row.why_no_stack.empty() ? "" : ": ", row.why_no_stack));
  }
  look("flash", row.flash, row.board->flash);
  if (!row.why_not_measured.empty()) {
    missing.push_back(absl::StrCat("not measured: ", row.why_not_measured));
  }
  return absl::StrJoin(missing, ", ");
}

std::string Milliseconds(double ms) {
  return ms >= 100 ? absl::StrFormat("%.0f", ms)
         : ms >= 1 ? absl::StrFormat("%.1f", ms)
                   : absl::StrFormat("%.3f", ms);
}

std::string RangeText(const TimeEstimate& time) {
  if (!time.range) return "?";
  return absl::StrCat(Milliseconds(time.range->low_ms), " to ", Milliseconds(time.range->high_ms));
}

std::string Bytes(std::optional<int64_t> bytes) { return bytes ? GroupDigits(*bytes) : "?"; }

// Returns notes on what the numbers leave out.
std::vector<std::string> Notes(const FitTable& table) {
  std::vector<std::string> notes = {
      "RAM is arena, inputs, outputs, state, instance and stack of the model; flash its weights, "
      "code and tables. The rest of the program needs more."};
  bool unmeasured = false, no_stack = false, estimated = false;
  std::vector<std::string> cores, functions;
  const auto add = [](const std::string& name, std::vector<std::string>& names) {
    const bool known = std::find(names.begin(), names.end(), name) != names.end();
    if (!name.empty() && !known) names.push_back(name);
  };
  for (const FitRow& row : table.rows) {
    if (!row.why_not_compiled.empty()) continue;
    unmeasured = unmeasured || !row.measured;
    no_stack = no_stack || (row.measured && !row.stack);
    estimated = estimated || row.time.range;
    add(row.time.why_not, cores);
    if (row.time.range) add(row.time.function, functions);
  }
  if (unmeasured) {
    notes.push_back("* weights alone, without code and stack, which no compiler measured");
  }
  if (no_stack) notes.push_back("+ without the stack, which has no bound");
  if (estimated) {
    notes.push_back(
        "Times are estimates from published figures of other programs, not measurements; the "
        "clock is the highest one.");
  }
  if (estimated && table.functions > 1) {
    notes.push_back(absl::StrCat("Times are of one call of '", absl::StrJoin(functions, "' or '"),
                                 "', which takes longest of the ", table.functions,
                                 " exported functions."));
  }
  for (const std::string& core : cores) notes.push_back(absl::StrCat("no estimate: ", core));
  return notes;
}

}  // namespace

void SortFit(FitTable& table) {
  const auto key = [](const FitRow& row) {
    return std::tuple(!row.fits(), row.board->ram, row.board->flash, row.board->name);
  };
  std::sort(table.rows.begin(), table.rows.end(),
            [&](const FitRow& a, const FitRow& b) { return key(a) < key(b); });
}

std::string FitAsText(const FitTable& table) {
  std::string out =
      absl::StrFormat("%-20s %-12s %-11s %4s %11s %11s %12s %12s %15s  %s\n", "board", "chip",
                      "core", "MHz", "RAM", "needed", "flash", "needed", "estimated ms", "");
  for (const FitRow& row : table.rows) {
    const bool compiled = row.why_not_compiled.empty();
    absl::StrAppendFormat(&out, "%-20s %-12s %-11s %4d %11s %10s%s %12s %11s%s %15s  %s\n",
                          row.board->name, row.board->product, row.board->core, row.board->mhz,
                          GroupDigits(row.board->ram), Bytes(row.ram),
                          compiled && row.measured && !row.stack ? "+" : " ",
                          GroupDigits(row.board->flash), Bytes(row.flash),
                          compiled && !row.measured ? "*" : " ", RangeText(row.time), Verdict(row));
  }
  const auto fitting = std::count_if(table.rows.begin(), table.rows.end(),
                                     [](const FitRow& row) { return row.fits(); });
  absl::StrAppend(&out, table.model, " fits ", fitting, " of ", table.rows.size(), " boards\n",
                  absl::StrJoin(Notes(table), "\n"), "\n");
  return out;
}

std::string FitAsCsv(const FitTable& table) {
  std::string out =
      "board,chip,core,target,mhz,ram_bytes,ram_needed,stack_needed,flash_bytes,flash_needed,"
      "measured,estimated_ms_low,estimated_ms_high,fits,verdict\n";
  const auto number = [](std::optional<int64_t> n) { return n ? absl::StrCat(*n) : ""; };
  for (const FitRow& row : table.rows) {
    const auto& range = row.time.range;
    absl::StrAppend(&out, CsvField(row.board->name), ",", CsvField(row.board->product), ",",
                    CsvField(row.board->core), ",", row.board->target, ",", row.board->mhz, ",",
                    row.board->ram, ",", number(row.ram), ",", number(row.stack), ",",
                    row.board->flash, ",", number(row.flash), ",", row.measured ? "true" : "false",
                    ",", range ? Milliseconds(range->low_ms) : "", ",",
                    range ? Milliseconds(range->high_ms) : "");
    absl::StrAppend(&out, ",", row.fits() ? "true" : "false", ",", CsvField(Verdict(row)), "\n");
  }
  return out;
}

std::string FitAsMarkdown(const FitTable& table) {
  std::string out = absl::StrCat(
      "# Boards for ", MarkdownCell(table.model),
      "\n\n| Board | Chip | Core | MHz | RAM | needed | Flash | needed | Estimated ms | |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
  for (const FitRow& row : table.rows) {
    absl::StrAppend(&out, "| ", row.board->name, " | ", row.board->product, " | ", row.board->core,
                    " | ", row.board->mhz, " | ", GroupDigits(row.board->ram), " | ",
                    Bytes(row.ram), " | ", GroupDigits(row.board->flash), " | ", Bytes(row.flash),
                    row.measured ? "" : "\\*", " | ", RangeText(row.time), " | ",
                    MarkdownCell(Verdict(row)), " |\n");
  }
  for (const std::string& note : Notes(table)) {
    absl::StrAppend(&out, "\n", note[0] == '*' ? "\\" : "", note, "\n");
  }
  return out;
}

Json FitAsJson(const FitTable& table) {
  const auto or_null = [](std::optional<int64_t> n) { return n ? Json(*n) : Json(nullptr); };
  Json boards = Json::array();
  for (const FitRow& row : table.rows) {
    const auto& range = row.time.range;
    Json estimate = nullptr;
    if (range) {
      estimate = Json{
          {"function", row.time.function}, {"low_ms", range->low_ms}, {"high_ms", range->high_ms}};
    }
    boards.push_back(Json{{"name", std::string(row.board->name)},
                          {"chip", std::string(row.board->product)},
                          {"core", std::string(row.board->core)},
                          {"target", std::string(row.board->target)},
                          {"mhz", row.board->mhz},
                          {"ram_bytes", row.board->ram},
                          {"ram_needed", or_null(row.ram)},
                          {"stack_needed", or_null(row.stack)},
                          {"flash_bytes", row.board->flash},
                          {"flash_needed", or_null(row.flash)},
                          {"flash_measured", row.measured},
                          {"estimate", std::move(estimate)},
                          {"fits", row.fits()},
                          {"verdict", Verdict(row)}});
  }
  return Json{{"schema_version", 1}, {"model", table.model}, {"boards", std::move(boards)}};
}

}  // namespace lathe::driver
