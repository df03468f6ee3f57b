// Reads --name, the prefix of the symbols and files of a bundle.
#ifndef LATHE_DRIVER_OPTIONS_NAME_OPTION_H_
#define LATHE_DRIVER_OPTIONS_NAME_OPTION_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

// Returns the value of the option, or an identifier derived from the file name of the operand.
// Fails for a value that is not an identifier of at most 60 characters or that is reserved: in C,
// with `for_gpus` in C++ or CUDA, with `has_targets` in CMake or Meson. A reserved name of a file
// gets the prefix "my_".
absl::StatusOr<std::string> ReadNameOption(const Arguments& args, bool for_gpus, bool has_targets);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_NAME_OPTION_H_
