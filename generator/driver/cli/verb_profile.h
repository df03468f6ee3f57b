// Implements `lathe profile FILE`: shows measured times of steps beside their arithmetic and their
// instructions on an emulated board.
#ifndef LATHE_DRIVER_CLI_VERB_PROFILE_H_
#define LATHE_DRIVER_CLI_VERB_PROFILE_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbProfile;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_PROFILE_H_
