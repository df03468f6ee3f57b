// Declares `lathe reduce`, which makes a failing program small.
#ifndef LATHE_DRIVER_CLI_VERB_REDUCE_H_
#define LATHE_DRIVER_CLI_VERB_REDUCE_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbReduce;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_REDUCE_H_
