// Implements `lathe explain [CODE]`: explains a diagnostic code with a bad and a good example.
#ifndef LATHE_DRIVER_CLI_VERB_EXPLAIN_H_
#define LATHE_DRIVER_CLI_VERB_EXPLAIN_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbExplain;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_EXPLAIN_H_
