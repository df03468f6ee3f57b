#include "generator/driver/report/render_text.h"

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

std::string DescribeNotChecked(const NotChecked& not_checked) {
  if (not_checked.functions.empty()) return "because of its errors, nothing else in it was checked";
  constexpr size_t kMaxNamed = 5;
  std::string names;
  for (size_t i = 0; i < not_checked.functions.size(); ++i) {
    if (i == kMaxNamed) {
      absl::StrAppend(&names, " and ", not_checked.functions.size() - i, " more");
      break;
    }
    absl::StrAppend(&names, i == 0 ? "" : ", ", "'", not_checked.functions[i], "'");
  }
  return absl::StrCat("code that depends on the errors in ", names, " was not checked");
}

std::string RenderNotChecked(absl::Span<const NotChecked> not_checked,
                             const ReportOptions& options) {
  const Palette& colors = options.color ? kTerminalPalette : kPlainPalette;
  std::string out;
  for (const NotChecked& n : not_checked) {
    if (n.file.empty()) continue;
    absl::StrAppend(&out, colors.place, n.file, ": ", colors.end, colors.note, "note:", colors.end,
                    " ", DescribeNotChecked(n), "\n");
  }
  return out;
}

}  // namespace lathe::driver
