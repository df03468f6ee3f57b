// Provides the modules that Relay text may import: prelude.rly, nat.rly and gradient.rly.
#ifndef LATHE_READER_RELAY_TEXT_STD_MODULES_H_
#define LATHE_READER_RELAY_TEXT_STD_MODULES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "generator/support/source.h"

namespace lathe::relay {

// Returns the text of the module `name`, with or without ".rly"; null if there is none.
const SourceFile* FindStdModule(absl::string_view name);

// Returns "gradient.rly, nat.rly, prelude.rly".
std::string ListStdModules();

}  // namespace lathe::relay

#endif  // LATHE_READER_RELAY_TEXT_STD_MODULES_H_
