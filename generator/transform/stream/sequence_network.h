// Makes the network that computes a whole sequence of a streamed network at once, as a reference
// for its steps.
//
//   step:       the new frames, and the frames that are kept
//   sequence:   a window of zeros, and the frames of all steps so far; layers pad along time before
//               the first frame
#ifndef LATHE_TRANSFORM_STREAM_SEQUENCE_NETWORK_H_
#define LATHE_TRANSFORM_STREAM_SEQUENCE_NETWORK_H_

#include <cstdint>

#include "generator/ir/context.h"
#include "generator/ir/module.h"
#include "generator/support/diagnostics.h"
#include "generator/transform/stream/stream_network.h"

namespace lathe::transform {

// Returns a copy of `window`, the module before StreamNetwork, whose `function` takes the window of
// zeros and the frames of `steps` steps. Its results are those of the last step; results along time
// have the frames of all steps.
ir::Module SequenceNetwork(ir::Context& context, const ir::Module& window, ir::GlobalId function,
                           const StreamOptions& options, int64_t steps, Diagnostics& diags);

}  // namespace lathe::transform

#endif  // LATHE_TRANSFORM_STREAM_SEQUENCE_NETWORK_H_
