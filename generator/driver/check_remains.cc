#include "generator/driver/check_remains.h"

#include "absl/strings/match.h"

namespace lathe::driver {
namespace {

// The rules that a function breaks where bindings are missing, its signature's or its result's
// among them.
constexpr absl::string_view kOfMissingParts[] = {
    "var-", "shape-var-", "dataflow-", "recursion-needs-return-annotation", "device-",
};

bool MayFollow(const Diagnostic& d, const std::vector<DamagedFunction>& damaged) {
  // Any of the damaged functions may have been it.
  if (d.code == "no-entry-point") return true;
  const auto* span = std::get_if<TextSpan>(&d.loc);
  if (span == nullptr) return true;
  for (const DamagedFunction& f : damaged) {
    if (span->begin < f.span.begin || span->begin >= f.span.end) continue;
    if (d.severity == Severity::kWarning) return true;
    for (absl::string_view prefix : kOfMissingParts) {
      if (absl::StartsWith(d.code, prefix)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> CheckRemains(ir::Context& context, Remains& remains,
                                      absl::Span<const Pass> checks, Diagnostics& diags) {
  Diagnostics found;
  PassContext pass_context{context, found};
  for (const Pass& check : checks) {
    if (!check.run(pass_context, remains.module).ok()) break;
  }
  for (const Diagnostic& d : found.all()) {
    if (!MayFollow(d, remains.damaged)) diags.Add(d);
  }
  std::vector<std::string> names;
  for (const DamagedFunction& f : remains.damaged) names.push_back(f.name);
  return names;
}

}  // namespace lathe::driver
