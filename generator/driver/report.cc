#include "generator/driver/report.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "generator/driver/render_json.h"
#include "generator/driver/render_sarif.h"
#include "generator/driver/render_text.h"
#include "generator/driver/streams.h"

namespace lathe::driver {
namespace {

// Files in the order they were first named; things without a place stand where they were said.
std::tuple<uint32_t, uint32_t> PlaceInFile(const Diagnostic& d) {
  const auto* span = std::get_if<TextSpan>(&d.loc);
  return span == nullptr ? std::make_tuple(0u, 0u) : std::make_tuple(span->begin, span->end);
}

const SourceFile* FileOf(const Diagnostic& d) {
  const auto* span = std::get_if<TextSpan>(&d.loc);
  return span == nullptr ? nullptr : span->file;
}

bool SamePlaceAndWords(const Diagnostic& a, const Diagnostic& b) {
  return FileOf(a) == FileOf(b) && PlaceInFile(a) == PlaceInFile(b) && a.code == b.code &&
         a.message == b.message && a.loc.index() == b.loc.index();
}

}  // namespace

Diagnostics Prepare(const Diagnostics& diags, const ReportOptions& options) {
  std::vector<Diagnostic> all;
  for (Diagnostic d : diags.all()) {
    if (d.severity == Severity::kWarning) {
      if (options.disabled_warnings.count(d.code) > 0) continue;
      if (options.all_warnings_are_errors || options.warnings_as_errors.count(d.code) > 0) {
        d.severity = Severity::kError;
      }
    }
    all.push_back(std::move(d));
  }
  std::vector<const SourceFile*> files;
  for (const Diagnostic& d : all) {
    if (std::find(files.begin(), files.end(), FileOf(d)) == files.end()) files.push_back(FileOf(d));
  }
  const auto key = [&](const Diagnostic& d) {
    const auto file = std::find(files.begin(), files.end(), FileOf(d));
    return std::make_tuple(file - files.begin(), PlaceInFile(d));
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  // Two ways to reach the same trouble at the same place are one trouble.
  const auto text_end = std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return FileOf(a) != nullptr && SamePlaceAndWords(a, b);
  });
  Diagnostics prepared;
  for (auto d = all.begin(); d != text_end; ++d) prepared.Add(std::move(*d));
  return prepared;
}

ExitCode Report(const Diagnostics& diags, const ReportOptions& options, std::FILE* err) {
  const Diagnostics shown = Prepare(diags, options);
  switch (options.format) {
    case ReportFormat::kHuman:
    case ReportFormat::kShort:
      Print(err, RenderText(shown, options));
      break;
    case ReportFormat::kJson:
      Print(err, RenderJson(shown, options));
      break;
    case ReportFormat::kSarif:
      Print(err, RenderSarif(shown, options));
      break;
  }
  return ExitCodeOf(shown);
}

ExitCode ReportTrouble(const absl::Status& status, const ReportOptions& options, std::FILE* err) {
  const absl::string_view word = options.color ? "\x1b[1;31merror\x1b[0m" : "error";
  Print(err, absl::StrCat("lathe: ", word, ": ", status.message(), "\n"));
  return ExitCodeOf(status);
}

ExitCode ReportUsage(absl::string_view message, std::FILE* err) {
  Print(err, absl::StrCat("lathe: error: ", message, "\n"));
  return kExitUsage;
}

}  // namespace lathe::driver
