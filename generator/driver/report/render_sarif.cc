#include "generator/driver/report/render_sarif.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "generator/driver/report/diagnostic_page.h"
#include "generator/driver/report/render_text.h"
#include "generator/driver/report/version.h"
#include "generator/support/match.h"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kSchema[] =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// SARIF counts characters, not bytes; columns are 1-based.
int ColumnOf(const SourceFile& file, uint32_t offset) {
  int column = 1;
  for (uint32_t i = file.LineStart(file.LineAt(offset)); i < offset && i < file.text().size();
       ++i) {
    column += (static_cast<unsigned char>(file.text()[i]) & 0xC0) != 0x80;
  }
  return column;
}

// Converts a path to a URI reference, with escapes for characters that RFC 3986 forbids in paths.
std::string UriOf(absl::string_view path) {
  if (path == "-") return "stdin";
  std::string out;
  for (const char c : path) {
    const bool plain = absl::ascii_isalnum(c) || absl::StrContains("/-._~!$&'()*+,;=@", c);
    if (plain) {
      out += c;
    } else {
      absl::StrAppend(&out, "%", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
    }
  }
  return out;
}

Json Message(absl::string_view text) { return {{"text", std::string(text)}}; }

// Returns null for an empty location.
Json LocationJson(const Location& loc) {
  return Match(
      loc, [](std::monostate) { return Json(); },
      [](const TextSpan& s) {
        if (s.file == nullptr) return Json();
        const uint32_t end = std::max(s.begin, s.end);
        const Json region = {{"startLine", s.file->LineAt(s.begin)},
                             {"startColumn", ColumnOf(*s.file, s.begin)},
                             {"endLine", s.file->LineAt(end)},
                             {"endColumn", ColumnOf(*s.file, end)},
                             {"byteOffset", s.begin},
                             {"byteLength", end - s.begin}};
        return Json{{"physicalLocation",
                     {{"artifactLocation", {{"uri", UriOf(s.file->path())}}}, {"region", region}}}};
      },
      [](const std::shared_ptr<const ModelNode>& n) {
        const Json file = {{"artifactLocation", {{"uri", UriOf(n->model)}}}};
        if (n->op.empty()) return Json{{"physicalLocation", file}};
        const Json node = {{"name", n->name},
                           {"fullyQualifiedName", absl::StrCat(n->op, "#", n->index)},
                           {"kind", "element"}};
        return Json{{"physicalLocation", file}, {"logicalLocations", Json::array({node})}};
      });
}

Json RuleJson(const std::string& code) {
  Json rule = {{"id", code}};
  if (const auto page = FindDiagnosticPage(code)) {
    rule["shortDescription"] = Message(page->rule);
    rule["fullDescription"] = Message(page->rule);
    rule["help"] = {{"text", std::string(page->text)}, {"markdown", std::string(page->text)}};
  }
  return rule;
}

Json ResultJson(const Diagnostic& d, size_t rule) {
  std::string text = d.message;
  if (!d.help.empty()) absl::StrAppend(&text, "\nhelp: ", d.help);
  Json out = {{"ruleId", d.code},
              {"ruleIndex", rule},
              {"level", d.severity == Severity::kError ? "error" : "warning"},
              {"message", Message(text)}};
  if (Json place = LocationJson(d.loc); !place.is_null()) {
    out["locations"] = Json::array({std::move(place)});
  }
  Json related = Json::array();
  for (const Note& n : d.notes) {
    Json place = LocationJson(n.loc);
    if (place.is_null()) place = Json::object();
    place["message"] = Message(n.message);
    related.push_back(std::move(place));
  }
  if (!related.empty()) out["relatedLocations"] = std::move(related);
  return out;
}

}  // namespace

void SarifReport::Add(const Diagnostics& diags) {
  for (const Diagnostic& d : diags.all()) {
    if (results_.size() == limit_) break;
    const auto [rule, is_new] = rule_of_.emplace(d.code, rules_.size());
    if (is_new) rules_.push_back(RuleJson(d.code));
    results_.push_back(ResultJson(d, rule->second));
  }
}

void SarifReport::AddFailure(ExitCode code, absl::string_view message) {
  failed_ = true;
  (code == kExitUsage ? configuration_ : execution_)
      .push_back({{"level", "error"}, {"message", Message(message)}});
}

void SarifReport::AddNotChecked(absl::Span<const NotChecked> not_checked) {
  for (const NotChecked& n : not_checked) {
    if (n.file.empty()) continue;
    execution_.push_back({{"level", "note"},
                          {"message", Message(absl::StrCat(n.file, ": ", DescribeNotChecked(n)))}});
  }
}

std::string SarifReport::Finish(ExitCode code) const {
  const Json driver = {
      {"name", "lathe"}, {"semanticVersion", std::string(Version())}, {"rules", rules_}};
  Json invocation = {{"executionSuccessful", !failed_}, {"exitCode", static_cast<int>(code)}};
  if (!execution_.empty()) invocation["toolExecutionNotifications"] = execution_;
  if (!configuration_.empty()) invocation["toolConfigurationNotifications"] = configuration_;
  const Json run = {{"tool", {{"driver", driver}}},
                    {"columnKind", "unicodeCodePoints"},
                    {"invocations", Json::array({std::move(invocation)})},
                    {"results", results_}};
  const Json out = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lathe::driver
