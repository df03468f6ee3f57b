// Prints a module of Relay as text that this reader and TVM read.
#ifndef LATHE_READER_RELAY_TEXT_PRINT_PRINT_RELAY_H_
#define LATHE_READER_RELAY_TEXT_PRINT_PRINT_RELAY_H_

#include <string>
#include <vector>

#include "generator/reader/relay_text/types/typed_module.h"

namespace lathe::relay {

// Prints the definitions of `file`, and `imports`, the modules that it imports. Reading the text
// gives the same module: names, graph variables and constants are kept, comments and hints are not.
std::string PrintRelay(const TypedModule& module, const SourceFile& file,
                       const std::vector<Name>& imports);

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_PRINT_PRINT_RELAY_H_
