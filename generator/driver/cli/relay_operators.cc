#include "generator/driver/cli/relay_operators.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generator/driver/cli/operator_table.h"
#include "generator/reader/relay_text/ops/op_rows.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

std::string RelayAttributes(const relay::OpRow& row) {
  return absl::StrJoin(row.attrs, ", ", [](std::string* out, const relay::AttrRow& attr) {
    absl::StrAppend(out, attr.name, attr.required ? " (required)" : "");
  });
}

std::string RelayArguments(const relay::OpRow& row) {
  return row.args == relay::kAnyArgs ? "several" : absl::StrCat(row.args);
}

}  // namespace

std::string RelayOperatorsAsText() {
  std::string out;
  for (const relay::OpRow& row : relay::AllOpRows()) {
    if (row.import == nullptr) continue;
    absl::StrAppend(&out, row.name, "(", RelayAttributes(row), ")\n");
  }
  return out;
}

std::string RelayOperatorsAsMarkdown() {
  std::string supported, refused;
  for (const relay::OpRow& row : relay::AllOpRows()) {
    if (row.import == nullptr) {
      absl::StrAppend(&refused, "| ", row.name, " | ", row.reason, " |\n");
    } else {
      absl::StrAppend(&supported, "| ", row.name, " | ", RelayArguments(row), " | ",
                      RelayAttributes(row), " |\n");
    }
  }
  return absl::StrCat(
      "# Operators of Relay\n\n"
      "The operators that Relay text may call, with the number of arguments and the attributes.\n"
      "`lathe ops --from relay --markdown` writes this page.\n\n"
      "| Operator | Arguments | Attributes |\n|---|---|---|\n",
      supported, "\n## Refused\n\n| Operator | Reason |\n|---|---|\n", refused);
}

std::string RelayOperatorsAsJson() {
  nlohmann::ordered_json operators = nlohmann::ordered_json::array();
  for (const relay::OpRow& row : relay::AllOpRows()) {
    nlohmann::ordered_json one = {{"name", row.name}, {"supported", row.import != nullptr}};
    if (row.import == nullptr) {
      one["reason"] = row.reason;
    } else {
      if (row.args != relay::kAnyArgs) one["arguments"] = row.args;
      one["attributes"] = nlohmann::ordered_json::array();
      for (const relay::AttrRow& attr : row.attrs) {
        nlohmann::ordered_json attribute = {{"name", attr.name},
                                            {"type", relay::DescribeAttrType(attr)}};
        if (!attr.required) attribute["default"] = DefaultText(attr.default_value);
        one["attributes"].push_back(std::move(attribute));
      }
    }
    operators.push_back(std::move(one));
  }
  const nlohmann::ordered_json out = {{"schema_version", 1}, {"operators", std::move(operators)}};
  return out.dump(2) + "\n";
}

}  // namespace lathe::driver
