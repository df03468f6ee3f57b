// Loads packed functions from shared libraries: the host side of include/lathe/extern.h.
#ifndef LATHE_INTERP_EXTERN_LIBRARY_H_
#define LATHE_INTERP_EXTERN_LIBRARY_H_

#include <string>

#include "absl/status/status.h"
#include "generator/interp/packed_table.h"

namespace lathe::interp {

// Adds the functions of the library at `path` to `table`. The library is never unloaded, because
// objects that it created may live until the program ends.
absl::Status LoadExternLibrary(const std::string& path, PackedTable* table);

}  // namespace lathe::interp

#endif  // LATHE_INTERP_EXTERN_LIBRARY_H_
