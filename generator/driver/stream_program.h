// Applies --stream to a program: finds the inputs and axes that the option names, and streams the
// function.
#ifndef LATHE_DRIVER_STREAM_PROGRAM_H_
#define LATHE_DRIVER_STREAM_PROGRAM_H_

#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/reader/read_options.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/stream/stream_network.h"

namespace lathe::driver {

struct StreamedProgram {
  ir::GlobalId function;  // in the module before, StreamedFunction::window
  transform::StreamOptions options;
  transform::StreamedFunction streamed;
};

// Streams `function` of `module`, whose quantized operators `arithmetic` will compute. Errors of
// the network are in `diags`. Fails if the option does not fit the function.
absl::StatusOr<StreamedProgram> StreamProgram(ir::Context& context, ir::Module& module,
                                              ir::GlobalId function, const ReadOptions& read,
                                              std::function<void(ir::Module&)> arithmetic,
                                              Diagnostics& diags);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_STREAM_PROGRAM_H_
