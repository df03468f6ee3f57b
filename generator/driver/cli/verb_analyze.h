// Implements `lathe analyze FILE`: reports the memory, weights and arithmetic of a model by step.
#ifndef LATHE_DRIVER_CLI_VERB_ANALYZE_H_
#define LATHE_DRIVER_CLI_VERB_ANALYZE_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbAnalyze;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_ANALYZE_H_
