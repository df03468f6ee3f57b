#include "generator/driver/cli/onnx_operators.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "generator/reader/onnx/op_rows.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using onnx::OpRow;

std::string DomainOf(const OpRow& row) { return *row.domain == '\0' ? "ai.onnx" : row.domain; }

std::string VersionsOf(const OpRow& row) {
  return row.last == 0 ? absl::StrCat(row.first, " on") : absl::StrCat(row.first, " to ", row.last);
}

// The names and types of the attributes.
std::vector<std::pair<std::string, std::string>> AttributesIn(const OpRow& row) {
  std::vector<std::pair<std::string, std::string>> out;
  for (absl::string_view item : absl::StrSplit(onnx::AttributesOf(row), ' ', absl::SkipEmpty())) {
    out.push_back(absl::StrSplit(item, absl::MaxSplits(':', 1)));
  }
  return out;
}

std::string AttributeNames(const OpRow& row) {
  return absl::StrJoin(AttributesIn(row), ", ", [](std::string* out, const auto& attribute) {
    absl::StrAppend(out, attribute.first);
  });
}

}  // namespace

std::string OnnxOperatorsAsText() {
  std::string out;
  for (const OpRow& row : onnx::AllOpRows()) {
    absl::StrAppend(&out, DomainOf(row), ".", row.name, " (version ", VersionsOf(row), ")\n");
  }
  return out;
}

std::string OnnxOperatorsAsMarkdown() {
  std::string out =
      "# Operators of ONNX\n\n"
      "The operators that can be imported, with their versions of the operator set and the "
      "attributes\n"
      "that the importer reads. An unsupported use of an operator is reported at its node, with "
      "the\n"
      "supported alternatives. `lathe ops --from onnx --markdown` writes this page.\n";
  std::map<std::string, std::string> tables;
  for (const OpRow& row : onnx::AllOpRows()) {
    absl::StrAppend(&tables[DomainOf(row)], "| ", row.name, " | ", VersionsOf(row), " | ",
                    AttributeNames(row), " |\n");
  }
  for (const auto& [domain, rows] : tables) {
    absl::StrAppend(&out, "\n## ", domain,
                    "\n\n| Operator | Versions | Attributes |\n|---|---|---|\n", rows);
  }
  return out;
}

std::string OnnxOperatorsAsJson() {
  nlohmann::ordered_json operators = nlohmann::ordered_json::array();
  for (const OpRow& row : onnx::AllOpRows()) {
    nlohmann::ordered_json one = {
        {"domain", DomainOf(row)}, {"name", row.name}, {"since", row.first}};
    if (row.last != 0) one["until"] = row.last;
    one["inputs"] = row.needed;
    one["attributes"] = nlohmann::ordered_json::array();
    for (const auto& [name, type] : AttributesIn(row)) {
      one["attributes"].push_back({{"name", name}, {"type", type}});
    }
    operators.push_back(std::move(one));
  }
  const nlohmann::ordered_json out = {{"schema_version", 1}, {"operators", std::move(operators)}};
  return out.dump(2) + "\n";
}

}  // namespace lathe::driver
