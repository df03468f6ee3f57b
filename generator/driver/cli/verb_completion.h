// Implements `lathe completion SHELL`: prints a script that completes verbs, options and values.
#ifndef LATHE_DRIVER_CLI_VERB_COMPLETION_H_
#define LATHE_DRIVER_CLI_VERB_COMPLETION_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbCompletion;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_COMPLETION_H_
