// Functions from outside, as a user gives them to `lathe validate`: sources and libraries that the
// generated program is linked with, and that the interpreter calls.
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

// What --externs says: link or table.
absl::StatusOr<emit::Externs> ReadExternsOption(const Arguments& args);

// Adds the functions of `files` to `table`; C files are built in `folder` first, by `cc`.
absl::Status LoadExternFiles(const std::vector<std::string>& files, const std::string& cc,
                             const std::string& folder, interp::PackedTable* table);

// The words of a compiler's command that link `files` to a program.
std::vector<std::string> LinkWords(const std::vector<std::string>& files);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_EXTERN_FILES_H_
