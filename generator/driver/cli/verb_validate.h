// lathe validate: does the generated code compute what the program means?
#ifndef LATHE_DRIVER_CLI_VERB_VALIDATE_H_
#define LATHE_DRIVER_CLI_VERB_VALIDATE_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbValidate;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_VALIDATE_H_
