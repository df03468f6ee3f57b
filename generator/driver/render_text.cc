#include "generator/driver/render_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "generator/support/render_diagnostic.h"

namespace lathe::driver {
namespace {

std::string Counted(int n, absl::string_view what) {
  return absl::StrCat(n, " more ", what, n == 1 ? "" : "s");
}

std::string OneLineEach(const Diagnostic& d, const Palette& colors) {
  Diagnostic bare = d;
  bare.help.clear();
  return RenderDiagnostic(bare, colors, Excerpts::kOmit);
}

}  // namespace

std::string RenderText(const Diagnostics& diags, const ReportOptions& options) {
  const Palette& colors = options.color ? kTerminalPalette : kPlainPalette;
  std::string out;
  int errors = 0;
  int warnings = 0;
  for (const Diagnostic& d : diags.all()) {
    int& count = d.severity == Severity::kError ? errors : warnings;
    if (options.max_errors > 0 && ++count > options.max_errors) continue;
    absl::StrAppend(&out,
                    options.format == ReportFormat::kShort
                        ? OneLineEach(d, colors)
                        : RenderDiagnostic(d, colors, Excerpts::kShow),
                    "\n");
  }
  const int more_errors = std::max(0, errors - options.max_errors);
  const int more_warnings = std::max(0, warnings - options.max_errors);
  if (options.max_errors > 0 && more_errors + more_warnings > 0) {
    absl::StrAppend(&out, "lathe: ", more_errors > 0 ? Counted(more_errors, "error") : "",
                    more_errors > 0 && more_warnings > 0 ? " and " : "",
                    more_warnings > 0 ? Counted(more_warnings, "warning") : "",
                    " not shown (--max-errors=0 shows all)\n");
  }
  return out;
}

}  // namespace lathe::driver
