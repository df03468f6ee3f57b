// Implements `lathe targets`: lists the targets.
#ifndef LATHE_DRIVER_CLI_VERB_TARGETS_H_
#define LATHE_DRIVER_CLI_VERB_TARGETS_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbTargets;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_TARGETS_H_
