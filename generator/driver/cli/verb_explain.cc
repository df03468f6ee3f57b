#include "generator/driver/cli/verb_explain.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/driver/report/diagnostic_page.h"
#include "generator/support/closest_name.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

void ListAll(const Invocation& in) {
  const std::vector<absl::string_view> codes = DiagnosticCodes();
  if (in.args.Has("--json")) {
    Json list = Json::array();
    for (absl::string_view code : codes) {
      list.push_back({{"code", std::string(code)}, {"rule", FindDiagnosticPage(code)->rule}});
    }
    Print(in.io.out, Json{{"schema_version", 1}, {"codes", list}}.dump(2) + "\n");
    return;
  }
  for (absl::string_view code : codes) Print(in.io.out, absl::StrCat(code, "\n"));
}

ExitCode Explain(const Invocation& in) {
  if (in.args.operands.empty()) {
    ListAll(in);
    return kExitOk;
  }
  const std::string& code = in.args.operands[0];
  const auto page = FindDiagnosticPage(code);
  if (!page) {
    return in.report->Usage(absl::StrCat("no diagnostic has the code '", code, "'",
                                         DidYouMean(code, DiagnosticCodes()),
                                         "\n'lathe explain' lists all codes"));
  }
  if (in.args.Has("--json")) {
    const Json out = {{"schema_version", 1},
                      {"code", code},
                      {"rule", page->rule},
                      {"text", std::string(page->text)}};
    Print(in.io.out, out.dump(2) + "\n");
  } else {
    Print(in.io.out, page->text);
  }
  return kExitOk;
}

}  // namespace

constexpr Verb kVerbExplain = {
    .name = "explain",
    .summary = "explain a diagnostic code, with a bad and a good example",
    .operands = "[CODE]",
    .min_operands = 0,
    .max_operands = 1,
    .reports = true,
    .options = {},
    .details =
        "CODE is in brackets at the end of a message. Without CODE, lists all codes.\n"
        "\n"
        "Examples:\n"
        "  lathe explain argument-mismatch\n"
        "  lathe explain\n",
    .run = Explain,
};

}  // namespace lathe::driver
