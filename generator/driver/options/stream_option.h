// Reads --stream and --stream-padding: the inputs that get new frames in each step.
//
//   --stream audio:1=2     axis 1 of the input 'audio', 2 new frames
//   --stream frames=1      the only axis of an input that can be streamed
#ifndef LATHE_DRIVER_OPTIONS_STREAM_OPTION_H_
#define LATHE_DRIVER_OPTIONS_STREAM_OPTION_H_

#include "absl/status/status.h"
#include "generator/driver/options/verb.h"
#include "generator/reader/read_options.h"

namespace lathe::driver {

inline constexpr Option kStreamOption = {
    "--stream", 0, "INPUT:AXIS=N",
    "compile a step that takes N new frames of the window, and keeps the others; repeatable"};

inline constexpr Option kStreamPaddingOption = {
    "--stream-padding", 0, "start",
    "with --stream: pad along time before the first frame of a sequence, not in each window"};

// Adds the options to `read`, if the verb has them. Fails if one is malformed, or one is given
// without the other.
absl::Status ReadStreamOptions(const Arguments& args, ReadOptions& read);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_STREAM_OPTION_H_
