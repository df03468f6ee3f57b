// Reads --no-fuse and --prefer, which select how many operators a kernel computes, and the style of
// its constants.
#ifndef LATHE_DRIVER_OPTIONS_FUSION_OPTIONS_H_
#define LATHE_DRIVER_OPTIONS_FUSION_OPTIONS_H_

#include "generator/driver/options/verb.h"
#include "generator/schedule/fuse/fusion.h"

namespace lathe::driver {

inline constexpr Option kNoFuseOption = {"--no-fuse", 0, "",
                                         "one kernel for each operator, its result in memory"};
inline constexpr Option kPreferOption = {
    "--prefer", 0, "ram|speed|flash",
    "join layers wherever that saves memory, or nowhere, so that equal layers share code and rows "
    "are multiplied together (where it saves a sixteenth of the arena); flash: also the smallest "
    "constants"};

schedule::Fusion ReadFusion(const Arguments& args);

// Returns whether constants are small rather than kernels fast.
bool PrefersFlash(const Arguments& args);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_OPTIONS_FUSION_OPTIONS_H_
