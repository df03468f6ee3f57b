#include "generator/driver/report/render_json.h"

#include <algorithm>

#include "generator/support/match.h"

namespace lathe::driver {
namespace {

using Json = nlohmann::ordered_json;

// Incremented if a field changes its meaning or is removed, not for new fields.
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
        if (n->op.empty()) return Json{{"file", n->model}};
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

// Returns the "kind" of an error that is not a diagnostic.
const char* FailureKind(ExitCode code) {
  switch (code) {
    case kExitUsage:
      return "usage";
    case kExitMalformed:
      return "malformed";
    case kExitUnsupported:
      return "unsupported";
    case kExitLimit:
      return "limit";
    case kExitMismatch:
      return "mismatch";
    case kExitOk:
    case kExitEnvironment:
    case kExitInternal:
      break;
  }
  return "environment";
}

}  // namespace

void JsonReport::List(bool is_error, Json entry) {
  ++(is_error ? errors_ : warnings_);
  if (list_.size() < limit_) list_.push_back(std::move(entry));
}

void JsonReport::Add(const Diagnostics& diags) {
  for (const Diagnostic& d : diags.all()) {
    List(d.severity == Severity::kError, DiagnosticJson(d));
  }
}

void JsonReport::AddFailure(ExitCode code, absl::string_view message) {
  List(true, {{"severity", "error"},
              {"code", nullptr},
              {"kind", FailureKind(code)},
              {"message", std::string(message)},
              {"place", nullptr},
              {"notes", Json::array()}});
}

void JsonReport::AddNotChecked(absl::Span<const NotChecked> not_checked) {
  for (const NotChecked& n : not_checked) {
    if (n.file.empty()) continue;
    Json functions = n.functions;
    if (n.functions.empty()) functions = nullptr;
    not_checked_.push_back({{"file", n.file}, {"functions", std::move(functions)}});
  }
}

std::string JsonReport::Finish(ExitCode code) const {
  const Json out = {{"schema_version", kSchemaVersion},
                    {"tool", "lathe"},
                    {"errors", errors_},
                    {"warnings", warnings_},
                    {"exit_code", static_cast<int>(code)},
                    {"diagnostics", list_},
                    {"not_checked", not_checked_}};
  // Names in the input may contain bytes that are not UTF-8.
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lathe::driver
