// Compares each step of a streamed function with the function for the whole window.
#ifndef LATHE_DRIVER_VALIDATE_PROVE_STREAM_H_
#define LATHE_DRIVER_VALIDATE_PROVE_STREAM_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "generator/driver/run_options.h"
#include "generator/driver/stream_program.h"
#include "generator/interp/interpreter.h"
#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"

namespace lathe::driver {

struct StreamProof {
  std::string text;      // what was compared, or the first difference
  bool is_equal = true;  // every bit of every result
};

// Evaluates the steps of `options`, or without a number enough of them to replace the window, and
// each time the window of the program. The window is that before the program was streamed; or, if
// its layers pad along time, the whole sequence. Results along time are compared in the new frames.
// Fails if an input is missing or an evaluation fails.
absl::StatusOr<StreamProof> ProveStream(ir::Context& context, const StreamedProgram& program,
                                        interp::Interpreter& steps, const RunOptions& options,
                                        const interp::PackedTable& packed);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_VALIDATE_PROVE_STREAM_H_
