// --cc and --cflags: the compiler that says how large generated code is.
#ifndef LATHE_DRIVER_MEASURE_OPTIONS_H_
#define LATHE_DRIVER_MEASURE_OPTIONS_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/make_model.h"
#include "generator/driver/measure_code.h"

namespace lathe::driver {

// "arm-none-eabi-gcc -mcpu=cortex-m4 -Os": flags not given are those of the target, and -Os.
std::string MeasuredWith(const Arguments& args, const Target& target);

// Nothing without --cc.
absl::StatusOr<std::optional<CodeMeasures>> MeasureModel(const Arguments& args,
                                                         const MadeModel& made);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_MEASURE_OPTIONS_H_
