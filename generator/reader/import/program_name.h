// Converts names of models to names of programs.
#ifndef LATHE_READER_IMPORT_PROGRAM_NAME_H_
#define LATHE_READER_IMPORT_PROGRAM_NAME_H_

#include <string>

#include "absl/strings/string_view.h"

namespace lathe {

// Returns `name` as an identifier. Longer names than 60 bytes are truncated, because names are
// copied into every message and output.
std::string ProgramName(absl::string_view name);

}  // namespace lathe

#endif  // LATHE_READER_IMPORT_PROGRAM_NAME_H_
