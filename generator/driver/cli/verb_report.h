// Implements `lathe report`: writes a page about a compiled model.
#ifndef LATHE_DRIVER_CLI_VERB_REPORT_H_
#define LATHE_DRIVER_CLI_VERB_REPORT_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbReport;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_REPORT_H_
