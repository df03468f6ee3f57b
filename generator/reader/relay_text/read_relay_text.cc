#include "generator/reader/relay_text/read_relay_text.h"

#include <set>
#include <vector>

#include "generator/reader/relay_text/infer/infer.h"
#include "generator/reader/relay_text/std_modules.h"
#include "generator/reader/relay_text/syntax/parse.h"
#include "generator/reader/relay_text/translate/translate.h"

namespace lathe::relay {
namespace {

// Parses `file` and then, once each, the modules that it imports.
void ParseWithImports(const SourceFile& file, Diagnostics& diags, ModuleTree& tree) {
  std::vector<Name> imports;
  std::set<const SourceFile*> parsed;
  Parse(file, diags, tree, imports);
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
}

}  // namespace

absl::StatusOr<ir::Module> ReadRelayText(ir::Context& context, const SourceFile& file,
                                         Diagnostics& diags) {
  TypedModule module;
  ParseWithImports(file, diags, module.tree);
  if (module.tree.definitions.empty() && module.tree.types.empty() && !diags.has_errors()) {
    diags.Error(TextSpan{&file, 0, 0}, "relay-syntax")
        << "the text defines no function and no type";
  }
  if (!diags.has_errors()) InferTypes(context, module, diags);
  if (diags.has_errors()) return absl::InvalidArgumentError("the Relay text has errors");
  return Translate(context, module, diags);
}

}  // namespace lathe::relay
