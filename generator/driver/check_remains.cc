#include "generator/driver/check_remains.h"

#include "absl/strings/match.h"

namespace lathe::driver {
namespace {

// Prefixes of the codes that missing bindings, signatures or results of a function can cause.
constexpr absl::string_view kCodesOfMissingParts[] = {
    "var-", "shape-var-", "dataflow-", "recursion-needs-return-annotation", "device-",
};

bool MayFollow(const Diagnostic& d, const std::vector<DamagedFunction>& damaged) {
  // A damaged function may have been the entry point.
  if (d.code == "no-entry-point") return true;
  const auto* span = std::get_if<TextSpan>(&d.loc);
  if (span == nullptr) return true;
  for (const DamagedFunction& f : damaged) {
    if (span->begin < f.span.begin || span->begin >= f.span.end) continue;
    if (d.severity == Severity::kWarning) return true;
    for (absl::string_view prefix : kCodesOfMissingParts) {
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
