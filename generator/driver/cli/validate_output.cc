#include "generator/driver/cli/validate_output.h"

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generator/driver/report/streams.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

Json ComparedJson(const ComparedOutput& output) {
  const Difference& d = output.difference;
  const bool is_number = std::isfinite(d.largest);
  return Json{{"name", output.name},
              {"dtype", output.dtype},
              {"shape", output.shape},
              {"largest_difference", is_number ? Json(d.largest) : Json(nullptr)},
              {"elements", d.elements},
              {"unequal", d.beyond},
              {"first_unequal", d.beyond > 0 ? Json(d.first) : Json(nullptr)}};
}

}  // namespace

void ValidateOutput::Start(absl::string_view data, bool names_it) {
  comparisons_.push_back({});
  comparisons_.back().data = std::string(data);
  if (names_it && !as_json_) Print(out_, absl::StrCat(data, "\n"));
}

void ValidateOutput::Say(absl::string_view lines) {
  if (!as_json_) return Print(out_, lines);
  absl::StrAppend(&comparisons_.back().remarks, lines);
}

void ValidateOutput::Add(const ComparisonTable& table) {
  std::vector<ComparedOutput>& outputs = comparisons_.back().outputs;
  outputs.insert(outputs.end(), table.outputs.begin(), table.outputs.end());
  if (!as_json_) Print(out_, table.lines);
}

void ValidateOutput::End(bool passed) {
  comparisons_.back().ended = true;
  comparisons_.back().passed = passed;
  if (!as_json_) Print(out_, passed ? "PASS\n" : "FAIL\n");
}

void ValidateOutput::Finish() const {
  if (!as_json_) return;
  Json list = Json::array();
  bool passed = true, ended = false;
  for (const Comparison& c : comparisons_) {
    Json outputs = Json::array();
    for (const ComparedOutput& output : c.outputs) outputs.push_back(ComparedJson(output));
    const std::vector<std::string> remarks = absl::StrSplit(c.remarks, '\n', absl::SkipEmpty());
    list.push_back(Json{{"data", c.data.empty() ? Json(nullptr) : Json(c.data)},
                        {"passed", c.passed},
                        {"outputs", std::move(outputs)},
                        {"remarks", remarks}});
    passed = passed && c.passed;
    ended = ended || c.ended;
  }
  if (!ended) return;
  const Json out = {{"schema_version", 1}, {"passed", passed}, {"comparisons", std::move(list)}};
  // Names in models may contain bytes that are not UTF-8.
  Print(out_, out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace lathe::driver
