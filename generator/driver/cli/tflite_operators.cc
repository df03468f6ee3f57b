#include "generator/driver/cli/tflite_operators.h"

#include "absl/strings/str_cat.h"
#include "generator/reader/tflite/format/decode_options.h"
#include "generator/reader/tflite/format/model.h"
#include "generator/reader/tflite/ops/op_rows.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

// The number of a builtin operator, "custom" for others.
std::string NumberOf(const tflite::OpRow& row) {
  return row.code == tflite::kCustomOperator ? "custom" : absl::StrCat(row.code);
}

}  // namespace

std::string TfliteOperatorsAsText() {
  std::string out;
  for (const tflite::OpRow& row : tflite::AllOpRows()) {
    if (row.import != nullptr) absl::StrAppend(&out, row.name, "\n");
  }
  return out;
}

std::string TfliteOperatorsAsMarkdown() {
  std::string supported, refused;
  for (const tflite::OpRow& row : tflite::AllOpRows()) {
    if (row.import == nullptr) {
      absl::StrAppend(&refused, "| ", row.name, " | ", NumberOf(row), " | ", row.reason, " |\n");
    } else {
      absl::StrAppend(&supported, "| ", row.name, " | ", NumberOf(row), " |\n");
    }
  }
  return absl::StrCat(
      "# Operators of TFLite\n\n"
      "The operators that a TFLite model may have, with their numbers in the file.\n"
      "`lathe ops --from tflite --markdown` writes this page; [tflite.md](tflite.md) has the\n"
      "types and the arithmetic.\n\n"
      "| Operator | Number |\n|---|---|\n",
      supported, "\n## Refused\n\n| Operator | Number | Reason |\n|---|---|---|\n", refused);
}

std::string TfliteOperatorsAsJson() {
  nlohmann::ordered_json operators = nlohmann::ordered_json::array();
  for (const tflite::OpRow& row : tflite::AllOpRows()) {
    nlohmann::ordered_json one = {
        {"name", row.name}, {"number", row.code}, {"supported", row.import != nullptr}};
    if (row.import == nullptr) {
      one["reason"] = row.reason;
    } else {
      one["inputs"] = row.needed;
      one["options"] = nlohmann::ordered_json::array();
      for (const tflite::OptionField& field : tflite::OptionFields(row.options)) {
        one["options"].push_back(
            {{"name", field.name}, {"type", field.type}, {"default", field.otherwise}});
      }
    }
    operators.push_back(std::move(one));
  }
  const nlohmann::ordered_json out = {{"schema_version", 1}, {"operators", std::move(operators)}};
  return out.dump(2) + "\n";
}

}  // namespace lathe::driver
