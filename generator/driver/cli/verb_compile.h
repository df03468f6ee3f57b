// Implements `lathe compile FILE`: generates C or CUDA files in a folder.
#ifndef LATHE_DRIVER_CLI_VERB_COMPILE_H_
#define LATHE_DRIVER_CLI_VERB_COMPILE_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbCompile;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_COMPILE_H_
