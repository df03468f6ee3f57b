// --cc, --cflags, --cflags-only and --stack-of: the compiler that says how large generated code is.
#ifndef LATHE_DRIVER_CLI_MEASURE_OPTIONS_H_
#define LATHE_DRIVER_CLI_MEASURE_OPTIONS_H_

#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/make_model.h"
#include "generator/driver/measure_code.h"

namespace lathe::driver {

inline constexpr Option kCcOption = {"--cc", 0, "PROGRAM",
                                     "measure code and stack with this C compiler"};
inline constexpr Option kCflagsOption = {
    "--cflags", 0, "FLAGS",
    "what it is given after the target's flags and -Os, separated by spaces"};
inline constexpr Option kCflagsOnlyOption = {"--cflags-only", 0, "FLAGS",
                                             "what it is given in place of all of these"};
inline constexpr Option kStackOfOption = {
    "--stack-of", 0, "NAME=BYTES",
    "what a function that is not measured takes of the stack; more than one may be given"};

// "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -Os".
std::string MeasuredWith(const Arguments& args, const Target& target);

// Fails where a value is not NAME=BYTES, or a name is given twice.
absl::StatusOr<std::map<std::string, int64_t>> ReadStackOfOptions(const Arguments& args);

// Nothing without --cc. Fails where there is no such compiler, with the package that has it, or
// where it does not compile the code.
absl::StatusOr<std::optional<CodeMeasures>> MeasureModel(const Invocation& in,
                                                         const MadeModel& made);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_MEASURE_OPTIONS_H_
