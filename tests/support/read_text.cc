#include "tests/support/read_text.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "generator/ir/structural_equal.h"
#include "generator/reader/read_module.h"
#include "generator/support/diagnostics.h"

namespace lathe::testing {

ReadProgram ReadText(const std::string& text) {
  ReadProgram program;
  program.file = std::make_unique<SourceFile>("t.py", text);
  program.context = std::make_unique<ir::Context>();
  Diagnostics diags;
  absl::StatusOr<ir::Module> module = ReadModule(*program.context, *program.file, diags);
  if (module.ok()) program.module = *std::move(module);
  const auto place = [](const Location& loc) {
    return std::string(absl::StripPrefix(RenderPlace(loc), "t.py:"));
  };
  for (const Diagnostic& d : diags.all()) {
    absl::StrAppend(&program.problems, place(d.loc), d.code, ": ", d.message, "\n");
    for (const Note& n : d.notes) {
      absl::StrAppend(&program.problems, "  ", place(n.loc), n.message, "\n");
    }
  }
  return program;
}

std::string ProblemsOf(const std::string& text) { return ReadText(text).problems; }

std::string DifferenceOf(const std::string& a, const std::string& b) {
  const ReadProgram first = ReadText(a);
  const ReadProgram second = ReadText(b);
  if (!first.module || !second.module) {
    return absl::StrCat("the first: ", first.problems, "the second: ", second.problems);
  }
  std::string where;
  return ir::StructurallyEqual(*first.module, *second.module, &where) ? "" : where;
}

}  // namespace lathe::testing
