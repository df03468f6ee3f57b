// Implements `lathe quantize`: post-training quantization of a float network. Reports the layers
// and, with -o, writes the network as ONNX or, for a .py file, as Relax.
#ifndef LATHE_DRIVER_CLI_VERB_QUANTIZE_H_
#define LATHE_DRIVER_CLI_VERB_QUANTIZE_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbQuantize;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_QUANTIZE_H_
