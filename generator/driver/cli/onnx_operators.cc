#include "generator/driver/cli/onnx_operators.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "generator/reader/onnx/op_rows.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using onnx::OpRow;

std::string DomainOf(const OpRow& row) { return *row.domain == '\0' ? "ai.onnx" : row.domain; }

std::string VersionsOf(const OpRow& row) {
  return row.last == 0 ? absl::StrCat(row.first, " on") : absl::StrCat(row.first, " to ", row.last);
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
      "The operators that can be imported, with their versions of the operator set. An unsupported "
      "use\nof an operator is reported at its node, with the supported alternatives.\n`lathe ops "
      "--from onnx --markdown` writes this page.\n";
  std::map<std::string, std::string> tables;
  for (const OpRow& row : onnx::AllOpRows()) {
    absl::StrAppend(&tables[DomainOf(row)], "| ", row.name, " | ", VersionsOf(row), " |\n");
  }
  for (const auto& [domain, rows] : tables) {
    absl::StrAppend(&out, "\n## ", domain, "\n\n| Operator | Versions |\n|---|---|\n", rows);
  }
  return out;
}

std::string OnnxOperatorsAsJson() {
  nlohmann::ordered_json operators = nlohmann::ordered_json::array();
  for (const OpRow& row : onnx::AllOpRows()) {
    nlohmann::ordered_json one = {
        {"domain", DomainOf(row)}, {"name", row.name}, {"since", row.first}};
    if (row.last != 0) one["until"] = row.last;
    operators.push_back(std::move(one));
  }
  const nlohmann::ordered_json out = {{"schema_version", 1}, {"operators", std::move(operators)}};
  return out.dump(2) + "\n";
}

}  // namespace lathe::driver
