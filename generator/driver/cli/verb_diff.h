// Implements `lathe diff`: compares two programs, or one for two targets.
#ifndef LATHE_DRIVER_CLI_VERB_DIFF_H_
#define LATHE_DRIVER_CLI_VERB_DIFF_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbDiff;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_DIFF_H_
