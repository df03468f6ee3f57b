// Reads --cc, --cflags, --cflags-only and --stack-of, and measures generated code with that
// compiler.
#ifndef LATHE_DRIVER_CLI_MEASURE_OPTIONS_H_
#define LATHE_DRIVER_CLI_MEASURE_OPTIONS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/driver/compile_model.h"
#include "generator/driver/measure_code.h"

namespace lathe::driver {

inline constexpr Option kCcOption = {"--cc", 0, "PROGRAM",
                                     "measure code and stack with this C compiler"};
inline constexpr Option kCflagsOption = {
    "--cflags", 0, "FLAGS", "compiler flags after the target's flags and -Os, separated by spaces"};
inline constexpr Option kCflagsOnlyOption = {"--cflags-only", 0, "FLAGS",
                                             "compiler flags in place of all of these"};
inline constexpr Option kStackOfOption = {
    "--stack-of", 0, "NAME=BYTES", "stack use of a function that is not measured; repeatable"};

// Returns the compiler command: "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -Os". Returns "" without
// --cc.
std::string CompilerCommand(const Arguments& args, const Target& target);

// Returns the bytes of --stack-of by name. Fails for a value that is not NAME=BYTES, and for a
// repeated name.
absl::StatusOr<std::map<std::string, int64_t>> ReadStackOfOptions(const Arguments& args);

// Measures with the compiler command `words`. Fails with Unavailable and the name of its package if
// the compiler is missing.
absl::StatusOr<CodeMeasures> MeasureWith(const std::vector<std::string>& words,
                                         const Invocation& in, const CompiledModel& compiled);

// Returns nullopt without --cc. Fails if the compiler is missing, with the name of its package, or
// if it does not compile the code.
absl::StatusOr<std::optional<CodeMeasures>> MeasureModel(const Invocation& in,
                                                         const CompiledModel& compiled);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_MEASURE_OPTIONS_H_
