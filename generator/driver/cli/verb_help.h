// Implements `lathe help [VERB]`: prints help pages.
#ifndef LATHE_DRIVER_CLI_VERB_HELP_H_
#define LATHE_DRIVER_CLI_VERB_HELP_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbHelp;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_HELP_H_
