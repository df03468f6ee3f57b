// Implements `lathe inspect FILE`: prints a program as written or after a pass.
#ifndef LATHE_DRIVER_CLI_VERB_INSPECT_H_
#define LATHE_DRIVER_CLI_VERB_INSPECT_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbInspect;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_INSPECT_H_
