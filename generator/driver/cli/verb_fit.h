// Implements `lathe fit FILE`: lists common boards and whether a model fits into their memory.
#ifndef LATHE_DRIVER_CLI_VERB_FIT_H_
#define LATHE_DRIVER_CLI_VERB_FIT_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbFit;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_FIT_H_
