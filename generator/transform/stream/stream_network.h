// Turns a network over a window of frames into a function that takes the new frames of each step,
// so that no frame is computed twice.
//
//   main(x: (1, 49, 10))                 main(x: (1, 1, 10), x_past: (1, 2, 10))
//     y = conv1d(x, kernel of 3)    →      w = concat((x_past, x), axis=1)
//     z = mean(y, axis=1)                  y = conv1d(w, kernel of 3)
//     return z                             ... the past of y for the mean ...
//
// The frames that layers need again are the state of the function (ir/state.h). Before the first
// step, they are those of the network on a window of zeros.
#ifndef LATHE_TRANSFORM_STREAM_STREAM_NETWORK_H_
#define LATHE_TRANSFORM_STREAM_STREAM_NETWORK_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/stream/stream_rule.h"
#include "generator/transform/stream/time_axis.h"

namespace lathe::transform {

// An input of the function, with the axis along which its frames move.
struct StreamedInput {
  size_t param = 0;  // its position
  TimeAxis time;
};

struct StreamOptions {
  std::vector<StreamedInput> inputs;
  // Layers that pad along time pad before the first frame of a sequence, and not in each window.
  bool pads_at_start = false;
  // Chooses the arithmetic of quantized operators in a module that is evaluated; may be null.
  std::function<void(ir::Module&)> arithmetic = {};
};

struct StreamedFunction {
  ir::Module window;  // the module before, whose function takes the whole window
  // Layers pad along time, so that the steps compute another function than that of the window:
  // that of sequence_network.h.
  bool pads = false;
  std::vector<std::string> from_windows;  // values that each step computes from whole windows
};

// Returns the time axes of the parameters.
TimeAxes InputTimes(const ir::Module& module, ir::GlobalId function, const StreamOptions& options);

// Sets the number of frames along an axis of a parameter.
void SetFrames(ir::Context& context, ir::Module& module, ir::ValueId param, int axis,
               int64_t frames);

// Streams `function`. Returns nothing if it cannot, for reasons in `diags`; the module is then
// unspecified. Fails if the window of zeros cannot be evaluated.
absl::StatusOr<StreamedFunction> StreamNetwork(ir::Context& context, ir::Module& module,
                                               ir::GlobalId function, const StreamOptions& options,
                                               Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_STREAM_NETWORK_H_
