#include "tests/hostile/check_pages.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/driver/compare/compare_models.h"
#include "generator/driver/model_report.h"
#include "generator/driver/view/diff_page.h"
#include "generator/driver/view/report_page.h"
#include "nlohmann/json.hpp"
#include "tests/hostile/html_tags.h"

namespace lathe::hostile {
namespace {

std::string CheckPage(const std::string& made, const std::string& benign) {
  const auto got = ReadHtml(made), want = ReadHtml(benign);
  if (!got.ok()) return std::string(got.status().message());
  if (!want.ok()) return absl::StrCat("harmless: ", want.status().message());
  for (size_t i = 0; i < std::min(got->tags.size(), want->tags.size()); ++i) {
    if (got->tags[i] == want->tags[i]) continue;
    return absl::StrCat(got->tags[i].substr(0, 200), " where the harmless name has ",
                        want->tags[i].substr(0, 200));
  }
  if (got->tags.size() != want->tags.size()) return "more or fewer tags";
  if (got->data.find_first_of("<>&") != got->data.npos) return "markup in the data";
  const bool is_json = got->data.empty() || nlohmann::json::accept(got->data);
  return is_json ? "" : "the data is not JSON";
}

}  // namespace

Pages PagesOf(driver::CompiledModel& compiled) {
  const driver::ModelReport report =
      driver::MakeModelReport(compiled.model, *compiled.target, std::nullopt);
  const driver::ModelSide side{&compiled, &report};
  const driver::DiffTitle title{"net", "target"};
  driver::ModelsDiff changes = driver::CompareModels(side, side, std::nullopt);
  changes.operators = driver::CompareOperators(*compiled.loaded, ir::Module());
  const auto page = driver::ReportPage(compiled, report, "", {{"RAM", 1, 2}});
  const auto diff = driver::DiffPage(title, title, changes);
  return {page.ok() ? *page : std::string(page.status().message()),
          diff.ok() ? *diff : std::string(diff.status().message())};
}

std::string CheckPages(const Pages& made, const Pages& benign) {
  const std::string report = CheckPage(made.report, benign.report);
  if (!report.empty()) return absl::StrCat("the report: ", report);
  const std::string diff = CheckPage(made.diff, benign.diff);
  return diff.empty() ? "" : absl::StrCat("the comparison: ", diff);
}

}  // namespace lathe::hostile
