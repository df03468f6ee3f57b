#include "tests/conformance/run_program.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "generator/analysis/derive/derive_struct_info.h"
#include "generator/analysis/verify_prim_func.h"
#include "generator/analysis/well_formed/well_formed.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/ir/structural_equal.h"
#include "generator/ir/verify_graph.h"
#include "generator/reader/read_module.h"

namespace lathe::conformance {
namespace {

std::vector<std::string> ErrorCodes(const Diagnostics& diags) {
  std::vector<std::string> codes;
  for (const Diagnostic& d : diags.all()) {
    if (d.severity == Severity::kError) codes.push_back(d.code);
  }
  return codes;
}

std::string FirstError(const Diagnostics& diags) {
  for (const Diagnostic& d : diags.all()) {
    if (d.severity == Severity::kError) return absl::StrCat(RenderPlace(d.loc), d.message);
  }
  return "";
}

std::vector<int> ErrorLines(const Diagnostics& diags) {
  std::vector<int> lines;
  for (const Diagnostic& d : diags.all()) {
    const auto* span = std::get_if<TextSpan>(&d.loc);
    if (d.severity != Severity::kError || span == nullptr || span->file == nullptr) continue;
    lines.push_back(span->file->LineAt(span->begin));
  }
  return lines;
}

DialectResult RoundTrip(ir::Context& context, const ir::Module& module, ir::Dialect dialect,
                        const char* name) {
  DialectResult result;
  result.dialect = name;
  ir::PrintOptions options;
  options.dialect = dialect;
  result.text = ir::PrintTvmScript(module, options);
  const SourceFile file("printed.py", result.text);
  Diagnostics diags;
  const absl::StatusOr<ir::Module> again = ReadModule(context, file, diags);
  if (!again.ok()) {
    const std::vector<std::string> codes = ErrorCodes(diags);
    result.status = "refused";
    result.detail = absl::StrCat(codes.empty() ? "no code" : codes[0], ": ", FirstError(diags));
    return result;
  }
  if (!ir::StructurallyEqual(module, *again, &result.detail)) {
    result.status = "different";
    return result;
  }
  if (ir::PrintTvmScript(*again, options) != result.text) {
    result.status = "unstable";
    result.detail = "printing what was read back gives other text";
    return result;
  }
  result.status = "same";
  return result;
}

}  // namespace

ProgramResult RunProgram(const std::string& path, std::string text) {
  ProgramResult result;
  const SourceFile file(path, std::move(text));
  ir::Context context;
  Diagnostics diags;
  absl::StatusOr<ir::Module> module = ReadModule(context, file, diags);
  result.codes = ErrorCodes(diags);
  result.message = FirstError(diags);
  result.lines = ErrorLines(diags);
  if (!module.ok()) {
    result.status = "refused";
    return result;
  }
  result.status = "read";
  ir::VerifyGraph(*module, "reading");
  result.dialects = {RoundTrip(context, *module, ir::Dialect::kClassic, "classic"),
                     RoundTrip(context, *module, ir::Dialect::kV0_24, "0.24"),
                     RoundTrip(context, *module, ir::Dialect::kV0_26, "0.26"),
                     RoundTrip(context, *module, ir::Dialect::kV0_27, "0.27")};
  Diagnostics checks;
  analysis::DeriveStructInfo(context, *module, checks);
  analysis::CheckWellFormed(context, *module, checks);
  analysis::VerifyPrimFuncs(*module, checks);
  result.check_codes = ErrorCodes(checks);
  result.check_message = FirstError(checks);
  return result;
}

}  // namespace lathe::conformance
