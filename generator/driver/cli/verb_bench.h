// Implements `lathe bench FILE`: measures the run time of the generated code on a GPU.
#ifndef LATHE_DRIVER_CLI_VERB_BENCH_H_
#define LATHE_DRIVER_CLI_VERB_BENCH_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbBench;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_BENCH_H_
