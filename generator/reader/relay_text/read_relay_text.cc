#include "generator/reader/relay_text/read_relay_text.h"

#include <set>
#include <vector>

#include "absl/strings/match.h"
#include "generator/reader/relay_text/infer/infer.h"
#include "generator/reader/relay_text/print/print_relay.h"
#include "generator/reader/relay_text/std_modules.h"
#include "generator/reader/relay_text/syntax/parse.h"
#include "generator/reader/relay_text/translate/translate.h"
#include "generator/support/status.h"

namespace lathe::relay {
namespace {

// Parses `file` and then, once each, the modules that it imports. Returns the imports of `file`.
std::vector<Name> ParseWithImports(const SourceFile& file, Diagnostics& diags, ModuleTree& tree) {
  std::vector<Name> own;
  Parse(file, diags, tree, own);
  std::set<const SourceFile*> parsed;
  std::vector<Name> imports = own;
  for (size_t i = 0; i < imports.size(); ++i) {
    const Name import = imports[i];
    const SourceFile* module = FindStdModule(import.text);
    if (module == nullptr) {
      diags.Unsupported(import.loc, "relay-unsupported")
          << "import of \"" << import.text << "\"; supported are " << ListStdModules();
    } else if (parsed.insert(module).second) {
      Parse(*module, diags, tree, imports);
    }
  }
  return own;
}

// Returns the imports of `file`.
absl::StatusOr<std::vector<Name>> ReadTyped(ir::Context& context, const SourceFile& file,
                                            Diagnostics& diags, TypedModule& module) {
  std::vector<Name> imports = ParseWithImports(file, diags, module.tree);
  if (module.tree.definitions.empty() && module.tree.types.empty() && !diags.has_errors()) {
    diags.Error(TextSpan{&file, 0, 0}, "relay-syntax")
        << (file.text().empty() ? "the file is empty: it defines no function and no type"
                                : "the text defines no function and no type");
  }
  if (!diags.has_errors()) InferTypes(context, module, diags);
  if (diags.has_errors()) return absl::InvalidArgumentError("the Relay text has errors");
  return imports;
}

}  // namespace

bool IsRelayText(const SourceFile& file) {
  return absl::EndsWithIgnoreCase(file.path(), ".relay") ||
         absl::EndsWithIgnoreCase(file.path(), ".rly") ||
         absl::StartsWith(file.text(), "#[version");
}

absl::StatusOr<ir::Module> ReadRelayText(ir::Context& context, const SourceFile& file,
                                         Diagnostics& diags) {
  TypedModule module;
  LATHE_RETURN_IF_ERROR(ReadTyped(context, file, diags, module).status());
  return Translate(context, module, diags);
}

absl::StatusOr<std::string> ReprintRelayText(ir::Context& context, const SourceFile& file,
                                             Diagnostics& diags) {
  TypedModule module;
  LATHE_ASSIGN_OR_RETURN(const std::vector<Name> imports, ReadTyped(context, file, diags, module));
  return PrintRelay(module, file, imports);
}

}  // namespace lathe::relay
