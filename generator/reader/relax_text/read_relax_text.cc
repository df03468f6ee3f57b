#include "generator/reader/relax_text/read_relax_text.h"

#include <optional>
#include <utility>
#include <vector>

#include "generator/reader/relax_text/relax/elaborate_module.h"
#include "generator/reader/relax_text/syntax/parse.h"

namespace lathe::relax_text {

absl::StatusOr<ir::Module> ReadRelaxText(ir::Context& context, const SourceFile& file,
                                         Diagnostics& diags, Remains* remains) {
  const int errors_before = diags.error_count();
  SyntaxTree tree;
  ir::Module module;
  const ast::Module* parsed = Parse(tree, file, diags);
  std::optional<std::vector<DamagedFunction>> damaged;
  if (diags.error_count() == errors_before) {
    Elaboration elaboration(context, module, tree, diags);
    damaged = ElaborateModule(elaboration, *parsed);
  }
  if (diags.error_count() == errors_before) return module;
  if (remains != nullptr && damaged) *remains = {true, std::move(module), *std::move(damaged)};
  // The first error determines the status code.
  for (const Diagnostic& d : diags.all()) {
    if (d.severity != Severity::kError) continue;
    switch (d.blame) {
      case Blame::kMalformed:
        return absl::InvalidArgumentError(d.message);
      case Blame::kUnsupported:
        return absl::UnimplementedError(d.message);
      case Blame::kLimit:
        return absl::ResourceExhaustedError(d.message);
    }
  }
  return AlreadyDiagnosed();
}

}  // namespace lathe::relax_text
