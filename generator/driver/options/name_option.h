// --name: what symbols and files of a bundle begin with.
#ifndef LATHE_DRIVER_OPTIONS_NAME_OPTION_H_
#define LATHE_DRIVER_OPTIONS_NAME_OPTION_H_

#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/options/verb.h"

namespace lathe::driver {

// The option's identifier, or one like the file name of the verb's operand. Fails for a name that C
// has a meaning for; `for_gpus` also C++ and CUDA; `with_cmake` also CMake.
absl::StatusOr<std::string> ReadNameOption(const Arguments& args, bool for_gpus, bool with_cmake);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_NAME_OPTION_H_
