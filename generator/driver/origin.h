// Describes where generated files come from: the program's version, the command and the model.
#ifndef LATHE_DRIVER_ORIGIN_H_
#define LATHE_DRIVER_ORIGIN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/driver/options/verb.h"
#include "generator/support/source.h"

namespace lathe::driver {

// Returns the last part of `path`.
std::string FileName(absl::string_view path);

// Returns the command that generates the same files again: without options that change no file of
// the bundle or have the value that they have anyway, in the order of the help, and with files by
// their names, since folders differ between machines. Commands that differ only there are equal.
std::string CommandAgain(const Verb& verb, const Arguments& args);

// Returns lines of at most 96 bytes with the version, `command`, and the SHA-256 of the model and
// of the files at the paths `further`, which it refers to.
absl::StatusOr<std::vector<std::string>> OriginLines(const std::string& command,
                                                     const SourceFile& model,
                                                     const std::vector<std::string>& further);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_ORIGIN_H_
