// Nodes that cannot be imported, and what follows of them: whatever depends on one is not looked
// at, so that nothing is said of it that its own inputs do not justify, and the rest is.
#ifndef LATHE_READER_ONNX_UNIMPORTED_H_
#define LATHE_READER_ONNX_UNIMPORTED_H_

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Whether the node, or a body of it, uses a value whose node could not be imported.
bool DependsOnUnimported(const Scope& scope, const Node& node);

// Makes the outputs of `node` such values.
void LeaveUnimported(Import& import, Scope& scope, const Node& node);

// The diagnostics of an import as the user is to see them, added to `diags`: those that say the
// same of several nodes of an operator as one, and with the last what was not looked at.
void GroupDiagnostics(const Import& import, const Diagnostics& found, Diagnostics& diags);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_UNIMPORTED_H_
