#include "generator/driver/render_json.h"

#include "generator/driver/exit_code.h"
#include "generator/support/match.h"
#include "nlohmann/json.hpp"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

// Raised when a field changes its meaning or goes away; a new field does not raise it.
constexpr int kSchemaVersion = 1;

Json PlaceJson(const Location& loc) {
  return Match(
      loc, [](std::monostate) { return Json(); },
      [](const TextSpan& s) {
        if (s.file == nullptr) return Json();
        const int line = s.file->LineAt(s.begin);
        const uint32_t end = std::max(s.begin, s.end);
        const int end_line = s.file->LineAt(end);
        return Json{{"file", std::string(s.file->path())},
                    {"line", line},
                    {"column", s.begin - s.file->LineStart(line) + 1},
                    {"end_line", end_line},
                    {"end_column", end - s.file->LineStart(end_line) + 1},
                    {"offset", s.begin},
                    {"length", end - s.begin}};
      },
      [](const std::shared_ptr<const ModelNode>& n) {
        return Json{{"file", n->model}, {"node", n->name}, {"op", n->op}, {"index", n->index}};
      });
}

absl::string_view BlameName(Blame blame) {
  switch (blame) {
    case Blame::kMalformed:
      return "malformed";
    case Blame::kUnsupported:
      return "unsupported";
    case Blame::kLimit:
      return "limit";
  }
  return "";
}

Json DiagnosticJson(const Diagnostic& d) {
  Json out = {{"severity", d.severity == Severity::kError ? "error" : "warning"},
              {"code", d.code},
              {"kind", std::string(BlameName(d.blame))},
              {"message", d.message},
              {"place", PlaceJson(d.loc)},
              {"notes", Json::array()}};
  for (const Note& n : d.notes) {
    out["notes"].push_back({{"message", n.message}, {"place", PlaceJson(n.loc)}});
  }
  if (!d.help.empty()) out["help"] = d.help;
  return out;
}

}  // namespace

std::string RenderJson(const Diagnostics& diags, const ReportOptions& options) {
  Json list = Json::array();
  const size_t limit = options.max_errors_given && options.max_errors > 0
                           ? static_cast<size_t>(options.max_errors)
                           : diags.all().size();
  for (const Diagnostic& d : diags.all()) {
    if (list.size() < limit) list.push_back(DiagnosticJson(d));
  }
  const size_t warnings = diags.all().size() - static_cast<size_t>(diags.error_count());
  const Json out = {{"schema_version", kSchemaVersion},
                    {"tool", "lathe"},
                    {"errors", diags.error_count()},
                    {"warnings", warnings},
                    {"exit_code", static_cast<int>(ExitCodeOf(diags))},
                    {"diagnostics", std::move(list)}};
  // A name in the input may hold bytes that are not UTF-8.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lathe::driver
