// Implements `lathe validate FILE`: compares results of the generated code with the interpreter or
// with test data.
#ifndef LATHE_DRIVER_CLI_VERB_VALIDATE_H_
#define LATHE_DRIVER_CLI_VERB_VALIDATE_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbValidate;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_VALIDATE_H_
