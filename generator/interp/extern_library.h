// Packed functions from a shared library: the host's side of include/lathe/extern.h.
#ifndef LATHE_INTERP_EXTERN_LIBRARY_H_
#define LATHE_INTERP_EXTERN_LIBRARY_H_

#include <string>

#include "absl/status/status.h"
#include "generator/interp/packed_table.h"

namespace lathe::interp {

// Adds the functions of the library at `path` to `table`. The library stays loaded, since objects
// it made may live as long as the program.
absl::Status LoadExternLibrary(const std::string& path, PackedTable* table);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EXTERN_LIBRARY_H_
