// Parses Relay text (version 0.0.5 and the spellings of the language reference) into a tree.
#ifndef LATHE_READER_RELAY_TEXT_SYNTAX_PARSE_H_
#define LATHE_READER_RELAY_TEXT_SYNTAX_PARSE_H_

#include "generator/reader/relay_text/syntax/tree.h"
#include "generator/support/diagnostics.h"
#include "generator/support/source.h"

namespace lathe::relay {

// Adds the definitions of `file` to `tree`. A lone expression becomes the function main, with its
// free variables as parameters. After an error the next definition is parsed, so that all are
// reported. The paths of `import` are added to `imports`.
void Parse(const SourceFile& file, Diagnostics& diags, ModuleTree& tree,
           std::vector<Name>& imports);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_SYNTAX_PARSE_H_
