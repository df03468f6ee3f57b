// Reads --name, the prefix of the symbols and files of a bundle.
#ifndef LATHE_DRIVER_OPTIONS_NAME_OPTION_H_
#define LATHE_DRIVER_OPTIONS_NAME_OPTION_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

// Returns `given`, the value of `option`, if it is an identifier of at most 60 characters that is
// not reserved: in C, with `for_gpus` in C++ or CUDA, with `has_targets` in CMake or Meson.
absl::StatusOr<std::string> CheckName(absl::string_view option, absl::string_view given,
                                      bool for_gpus, bool has_targets);

// Returns the value of the option, or an identifier derived from the file name of the operand.
// Fails for a value that CheckName rejects. A reserved name of a file gets the prefix "my_".
absl::StatusOr<std::string> ReadNameOption(const Arguments& args, bool for_gpus, bool has_targets);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_NAME_OPTION_H_
