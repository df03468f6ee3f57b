// Describes the steps of a streamed model for reports and headers.
#ifndef LATHE_DRIVER_STREAM_REPORT_H_
#define LATHE_DRIVER_STREAM_REPORT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/driver/options/dim_option.h"
#include "generator/driver/stream_program.h"
#include "generator/ir/context.h"
#include "generator/target/target.h"

namespace lathe::driver {

struct StreamedInputReport {
  std::string name;
  int axis = 0;
  int64_t frames = 0;  // new ones of a step
  int64_t window = 0;  // frames of the model
};

struct StreamReport {
  std::vector<StreamedInputReport> inputs;
  bool pads_at_start = false;             // the model pads along time, and the steps do not
  std::optional<int64_t> window_macs;     // of the model on the whole window, if known
  std::vector<std::string> from_windows;  // values that each step computes from whole windows
};

// Counts the operations of the window, of which `ranges` are the sizes, for `target`.
StreamReport MakeStreamReport(ir::Context& context, const StreamedProgram& program,
                              const Target& target, const std::map<std::string, DimRange>& ranges);

// Returns "'x' has 1 new frame along axis 1, of 49".
std::string DescribeInput(const StreamedInputReport& input);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_STREAM_REPORT_H_
