// lathe bench: how long does a run of the generated code take?
#ifndef LATHE_DRIVER_CLI_VERB_BENCH_H_
#define LATHE_DRIVER_CLI_VERB_BENCH_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbBench;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_BENCH_H_
