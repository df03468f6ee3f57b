// Tracks nodes that cannot be imported. Nodes that depend on one are skipped, which avoids
// consequential errors; all other nodes are still imported.
#ifndef LATHE_READER_ONNX_UNIMPORTED_H_
#define LATHE_READER_ONNX_UNIMPORTED_H_

#include "generator/reader/onnx/import.h"

namespace lathe::onnx {

// Returns true if the node or one of its subgraphs uses a value that was not imported.
bool DependsOnUnimported(const Scope& scope, const Node& node);

// Marks the outputs of `node` as not imported.
void LeaveUnimported(Import& import, Scope& scope, const Node& node);

// Adds the diagnostics of an import to `diags`. Merges reports of unsupported nodes of one operator
// whose messages differ only in numbers and quoted names. Adds a note with the number of skipped
// nodes to the last one.
void GroupDiagnostics(const Import& import, const Diagnostics& found, Diagnostics& diags);

}  // namespace lathe::onnx

#endif  // LATHE_READER_ONNX_UNIMPORTED_H_
