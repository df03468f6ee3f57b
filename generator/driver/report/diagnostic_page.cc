#include "generator/driver/report/diagnostic_page.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "generator/support/embedded_text.h"

namespace lathe::driver {
namespace {

// Returns the lines between the title and the next empty line.
std::string FirstParagraph(absl::string_view text) {
  std::string out;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (out.empty() && (line.empty() || line[0] == '#')) continue;
    if (line.empty() || line[0] == '#') break;
    absl::StrAppend(&out, out.empty() ? "" : " ", line);
  }
  return out;
}

}  // namespace

std::vector<absl::string_view> DiagnosticCodes() {
  std::vector<absl::string_view> codes;
  for (const EmbeddedText& page : DiagnosticPages()) {
    codes.push_back(absl::StripSuffix(page.name, ".md"));
  }
  // The table is sorted by file name, where "a-b.md" precedes "a.md".
  std::sort(codes.begin(), codes.end());
  return codes;
}

std::optional<DiagnosticPage> FindDiagnosticPage(absl::string_view code) {
  for (const EmbeddedText& page : DiagnosticPages()) {
    const absl::string_view name = absl::StripSuffix(page.name, ".md");
    if (name == code) return DiagnosticPage{name, page.text, FirstParagraph(page.text)};
  }
  return std::nullopt;
}

}  // namespace lathe::driver
