// Implements `lathe doctor`: lists the compilers, emulators and boards that the other verbs find.
#ifndef LATHE_DRIVER_CLI_VERB_DOCTOR_H_
#define LATHE_DRIVER_CLI_VERB_DOCTOR_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbDoctor;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_DOCTOR_H_
