#include "generator/reader/relay_text/read_relay_text.h"

#include "generator/reader/relay_text/infer/infer.h"
#include "generator/reader/relay_text/syntax/parse.h"
#include "generator/reader/relay_text/translate/translate.h"

namespace lathe::relay {

absl::StatusOr<ir::Module> ReadRelayText(ir::Context& context, const SourceFile& file,
                                         Diagnostics& diags) {
  TypedModule module;
  std::vector<Name> imports;
  Parse(file, diags, module.tree, imports);
  if (!diags.has_errors()) InferTypes(context, module, diags);
  if (diags.has_errors()) return absl::InvalidArgumentError("the Relay text has errors");
  return Translate(context, module, diags);
}

}  // namespace lathe::relay
