// lathe targets: what code can be made for.
#ifndef LATHE_DRIVER_CLI_VERB_TARGETS_H_
#define LATHE_DRIVER_CLI_VERB_TARGETS_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbTargets;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_TARGETS_H_
