// Implements `lathe check FILE...`: reads programs and reports every rule they break.
#ifndef LATHE_DRIVER_CLI_VERB_CHECK_H_
#define LATHE_DRIVER_CLI_VERB_CHECK_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbCheck;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_CHECK_H_
