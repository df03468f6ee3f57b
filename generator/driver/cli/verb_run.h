// Implements `lathe run FILE`: evaluates a function with the interpreter, on given or random input.
#ifndef LATHE_DRIVER_CLI_VERB_RUN_H_
#define LATHE_DRIVER_CLI_VERB_RUN_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbRun;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_RUN_H_
