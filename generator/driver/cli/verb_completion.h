// `lathe completion SHELL`: a script that completes verbs, options and their values.
#ifndef LATHE_DRIVER_CLI_VERB_COMPLETION_H_
#define LATHE_DRIVER_CLI_VERB_COMPLETION_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbCompletion;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_COMPLETION_H_
