// Loads external functions from the sources and libraries of --extern, for the interpreter, and
// lists the linker arguments for generated programs.
#ifndef LATHE_DRIVER_OPTIONS_EXTERN_FILES_H_
#define LATHE_DRIVER_OPTIONS_EXTERN_FILES_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"
#include "generator/emit/text/emitted_model.h"
#include "generator/interp/packed_table.h"

namespace lathe::driver {

// Reads --externs: link or table.
absl::StatusOr<emit::Externs> ReadExternsOption(const Arguments& args);

// Adds the functions in `files` to `table`. Compiles C files with `cc` in `folder` first.
absl::Status LoadExternFiles(const std::vector<std::string>& files, const std::string& cc,
                             const std::string& folder, interp::PackedTable* table);

// Returns the compiler arguments that link `files` into a program.
std::vector<std::string> LinkWords(const std::vector<std::string>& files);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_EXTERN_FILES_H_
