#include "tests/support/verified_program.h"

#include "absl/strings/str_cat.h"
#include "generator/analysis/verify_prim_func.h"
#include "generator/ir/print/print_tvmscript.h"
#include "generator/ir/structural_equal.h"
#include "generator/reader/relax_text/read_relax_text.h"

namespace lathe::testing {

VerifiedProgram::VerifiedProgram(std::string text) : file("m.py", std::move(text)) {
  absl::StatusOr<ir::Module> read = relax_text::ReadRelaxText(context, file, diags);
  if (read.ok()) analysis::VerifyPrimFuncs(*read, diags);
  if (read.ok() && !diags.has_errors()) module = *std::move(read);
}

std::vector<std::string> VerifiedProgram::Problems() const {
  std::vector<std::string> out;
  for (const Diagnostic& d : diags.all()) {
    const auto* span = std::get_if<TextSpan>(&d.loc);
    const int line = span == nullptr || span->file == nullptr ? 0 : file.LineAt(span->begin);
    out.push_back(absl::StrCat(d.code, ":", line));
  }
  return out;
}

std::string RoundTripDifference(const std::string& text) {
  const VerifiedProgram first(text);
  if (!first.module) return first.diags.all().empty() ? "not read" : Render(first.diags.all()[0]);
  for (const ir::Dialect dialect :
       {ir::Dialect::kClassic, ir::Dialect::kV0_24, ir::Dialect::kV0_26, ir::Dialect::kV0_27}) {
    ir::PrintOptions options;
    options.dialect = dialect;
    const std::string printed = ir::PrintTvmScript(*first.module, options);
    const VerifiedProgram second(printed);
    if (!second.module) {
      return absl::StrCat(printed,
                          second.diags.all().empty() ? "not read" : Render(second.diags.all()[0]));
    }
    std::string where;
    if (!ir::StructurallyEqual(*first.module, *second.module, &where)) {
      return absl::StrCat(printed, where);
    }
  }
  return "";
}

}  // namespace lathe::testing
