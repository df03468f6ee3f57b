// `lathe analyze FILE`: what a model would take, step by step.
#ifndef LATHE_DRIVER_CLI_VERB_ANALYZE_H_
#define LATHE_DRIVER_CLI_VERB_ANALYZE_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbAnalyze;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_ANALYZE_H_
