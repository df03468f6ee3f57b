#include "generator/driver/report/report.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "generator/driver/report/render_json.h"
#include "generator/driver/report/render_sarif.h"
#include "generator/driver/report/render_text.h"
#include "generator/driver/report/streams.h"

namespace lathe::driver {
namespace {

// Diagnostics without a location sort equally, so they keep their order.
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
  std::vector<const SourceFile*> files;  // in the order of their first diagnostic
  for (const Diagnostic& d : all) {
    if (std::find(files.begin(), files.end(), FileOf(d)) == files.end()) files.push_back(FileOf(d));
  }
  const auto key = [&](const Diagnostic& d) {
    const auto file = std::find(files.begin(), files.end(), FileOf(d));
    return std::make_tuple(file - files.begin(), PlaceInFile(d));
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  // The same error can be found on several paths; reports it once for each location.
  const auto text_end = std::unique(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return FileOf(a) != nullptr && SamePlaceAndWords(a, b);
  });
  Diagnostics prepared;
  for (auto d = all.begin(); d != text_end; ++d) prepared.Add(std::move(*d));
  return prepared;
}

Report::Report(const ReportOptions& options, std::FILE* err) : options_(options), err_(err) {
  if (options.format == ReportFormat::kJson) json_ = std::make_unique<JsonReport>(options);
  if (options.format == ReportFormat::kSarif) sarif_ = std::make_unique<SarifReport>(options);
}

Report::~Report() = default;

ExitCode Report::Add(const Diagnostics& diags, absl::Span<const NotChecked> not_checked) {
  const Diagnostics shown = Prepare(diags, options_);
  if (json_ != nullptr) {
    json_->Add(shown);
    json_->AddNotChecked(not_checked);
  } else if (sarif_ != nullptr) {
    sarif_->Add(shown);
    sarif_->AddNotChecked(not_checked);
  } else {
    Print(err_, absl::StrCat(RenderText(shown, options_), RenderNotChecked(not_checked, options_)));
  }
  return ExitCodeOf(shown);
}

ExitCode Report::Fail(ExitCode code, absl::string_view message) {
  if (json_ != nullptr) {
    json_->AddFailure(code, message);
  } else if (sarif_ != nullptr) {
    sarif_->AddFailure(code, message);
  } else {
    const absl::string_view word = options_.color ? "\x1b[1;31merror\x1b[0m" : "error";
    Print(err_, absl::StrCat("lathe: ", word, ": ", message, "\n"));
  }
  return code;
}

ExitCode Report::InputError(const absl::Status& status) {
  if (absl::IsInvalidArgument(status)) return Usage(status.message());
  if (absl::IsDataLoss(status)) return Fail(kExitMalformed, status.message());
  return EnvironmentError(status);
}

void Report::Remark(absl::string_view remark) {
  if (options_.quiet || json_ != nullptr || sarif_ != nullptr) return;
  Print(err_, absl::StrCat("lathe: ", remark, "\n"));
}

void Report::Finish(ExitCode code) {
  if (json_ != nullptr) Print(err_, json_->Finish(code));
  if (sarif_ != nullptr) Print(err_, sarif_->Finish(code));
}

}  // namespace lathe::driver
