// Implements `lathe ops`: lists the operators that programs may call, and how each is computed.
#ifndef LATHE_DRIVER_CLI_VERB_OPS_H_
#define LATHE_DRIVER_CLI_VERB_OPS_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbOps;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_OPS_H_
