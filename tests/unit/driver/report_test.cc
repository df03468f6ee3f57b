#include "generator/driver/report/report.h"

#include "absl/strings/str_cat.h"
#include "generator/driver/report/render_json.h"
#include "generator/driver/report/render_sarif.h"
#include "generator/driver/report/render_text.h"
#include "gmock/gmock.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class ReportTest : public ::testing::Test {
 protected:
  void Fill() {
    diags_.Error(TextSpan{&file_, 12, 13}, "b-code") << "second";
    diags_.Error(TextSpan{&file_, 0, 2}, "a-code").Note(TextSpan{&file_, 4, 5}, "there").Help("do")
        << "first";
    diags_.Error(TextSpan{&file_, 0, 2}, "a-code") << "first";
    diags_.Warning(TextSpan{&file_, 4, 5}, "w-code") << "careful";
  }

  std::string AsJson() {
    JsonReport report(options_);
    report.Add(Prepare(diags_, options_));
    return report.Finish(ExitCodeOf(diags_));
  }
  std::string AsSarif() {
    SarifReport report(options_);
    report.Add(Prepare(diags_, options_));
    return report.Finish(ExitCodeOf(diags_));
  }

  const SourceFile file_{"m \xc3\xa4.py", "\xc3\xa4 = x\ny = R.z\n"};
  Diagnostics diags_;
  ReportOptions options_;
};

TEST_F(ReportTest, SortsByPlaceAndListsEachOnce) {
  Fill();
  options_.format = ReportFormat::kShort;
  EXPECT_EQ(RenderText(Prepare(diags_, options_), options_),
            "m \xc3\xa4.py:1:1: error: first [a-code]\n"
            "m \xc3\xa4.py:1:5: note: there\n"
            "m \xc3\xa4.py:1:5: warning: careful [w-code]\n"
            "m \xc3\xa4.py:2:6: error: second [b-code]\n");
}

TEST_F(ReportTest, WarningsCanBeSilencedOrMadeErrors) {
  diags_.Warning({}, "w-code") << "careful";
  EXPECT_EQ(ExitCodeOf(Prepare(diags_, options_)), kExitOk);
  options_.warnings_as_errors = {"w-code"};
  EXPECT_EQ(ExitCodeOf(Prepare(diags_, options_)), kExitMalformed);
  options_.disabled_warnings = {"w-code"};
  EXPECT_EQ(Prepare(diags_, options_).all().size(), 0u);
  options_ = {};
  options_.all_warnings_are_errors = true;
  EXPECT_EQ(Prepare(diags_, options_).error_count(), 1);
}

TEST_F(ReportTest, CountsTheRemainingErrors) {
  for (int i = 0; i < 5; ++i) diags_.Error({}, "a-code") << i;
  for (int i = 0; i < 3; ++i) diags_.Warning({}, "w-code") << i;
  options_.max_errors = 2;
  EXPECT_THAT(RenderText(diags_, options_),
              ::testing::EndsWith("lathe: 3 more errors and 1 more warning not shown "
                                  "(--max-errors=0 shows all)\n"));
  options_.max_errors = 0;
  EXPECT_THAT(RenderText(diags_, options_), ::testing::Not(HasSubstr("not shown")));
}

TEST_F(ReportTest, ExitCodes) {
  diags_.Unsupported({}, "u-code") << "";
  EXPECT_EQ(ExitCodeOf(diags_), kExitUnsupported);
  diags_.LimitExceeded({}, "l-code") << "";
  EXPECT_EQ(ExitCodeOf(diags_), kExitLimit);
  diags_.Error({}, "e-code") << "";
  EXPECT_EQ(ExitCodeOf(diags_), kExitMalformed);
  EXPECT_EQ(ExitCodeOf(absl::UnavailableError("")), kExitEnvironment);
  EXPECT_EQ(ExitCodeOf(absl::ResourceExhaustedError("")), kExitLimit);
}

TEST_F(ReportTest, Json) {
  Fill();
  const json out = json::parse(AsJson());
  EXPECT_EQ(out["schema_version"], 1);
  EXPECT_EQ(out["errors"], 2);
  EXPECT_EQ(out["warnings"], 1);
  EXPECT_EQ(out["exit_code"], 2);
  const json& first = out["diagnostics"][0];
  EXPECT_EQ(first["code"], "a-code");
  EXPECT_EQ(first["help"], "do");
  EXPECT_EQ(first["place"], json::parse(R"({"file": "m ä.py", "line": 1, "column": 1, "end_line": 1,
                                           "end_column": 3, "offset": 0, "length": 2})"));
  EXPECT_EQ(first["notes"][0]["message"], "there");
}

TEST_F(ReportTest, DocumentsContainFailuresAndTheExitCode) {
  JsonReport as_json(options_);
  as_json.AddFailure(kExitEnvironment, "cannot read it");
  as_json.AddFailure(kExitUsage, "give one");
  const json out = json::parse(as_json.Finish(kExitEnvironment));
  EXPECT_EQ(out["errors"], 2);
  EXPECT_EQ(out["exit_code"], 5);
  EXPECT_EQ(out["diagnostics"][0], json::parse(R"({"severity": "error", "code": null, "place": null,
      "kind": "environment", "message": "cannot read it", "notes": []})"));
  EXPECT_EQ(out["diagnostics"][1]["kind"], "usage");

  SarifReport as_sarif(options_);
  as_sarif.AddFailure(kExitEnvironment, "cannot read it");
  as_sarif.AddFailure(kExitUsage, "give one");
  as_sarif.AddNotChecked({{"m.py", {"main"}}});
  const json run = json::parse(as_sarif.Finish(kExitEnvironment))["runs"][0];
  const json& invocation = run["invocations"][0];
  EXPECT_EQ(invocation["exitCode"], 5);
  EXPECT_EQ(invocation["executionSuccessful"], false);
  EXPECT_EQ(invocation["toolExecutionNotifications"][0]["message"]["text"], "cannot read it");
  EXPECT_EQ(invocation["toolExecutionNotifications"][1]["level"], "note");
  EXPECT_EQ(invocation["toolConfigurationNotifications"][0]["message"]["text"], "give one");
  EXPECT_EQ(run["results"].size(), 0u);
}

TEST_F(ReportTest, JsonOfInvalidUtf8) {
  diags_.Error({}, "a-code") << "name '\xff'";
  EXPECT_TRUE(json::accept(AsJson()));
  EXPECT_TRUE(json::accept(AsSarif()));
}

TEST_F(ReportTest, Sarif) {
  Fill();
  diags_.Unsupported(std::make_shared<ModelNode>(ModelNode{"net.onnx", "conv1", "Conv", 12}),
                     "u-code")
      << "auto_pad";
  const json out = json::parse(AsSarif());
  EXPECT_EQ(out["version"], "2.1.0");
  const json& run = out["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["name"], "lathe");
  EXPECT_EQ(run["tool"]["driver"]["rules"].size(), 4u);
  EXPECT_EQ(run["invocations"][0]["exitCode"], 2);
  const json& first = run["results"][0];
  EXPECT_EQ(first["ruleId"], "a-code");
  EXPECT_EQ(run["tool"]["driver"]["rules"][first["ruleIndex"].get<int>()]["id"], "a-code");
  const json& place = first["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "m%20%c3%a4.py");
  EXPECT_EQ(place["region"]["endColumn"], 2) << "columns count characters";
  EXPECT_EQ(place["region"]["byteLength"], 2);
  EXPECT_EQ(first["relatedLocations"][0]["message"]["text"], "there");
  EXPECT_EQ(run["results"][3]["locations"][0]["logicalLocations"][0]["name"], "conv1");
}

}  // namespace
}  // namespace lathe::driver
