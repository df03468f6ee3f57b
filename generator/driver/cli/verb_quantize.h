// Implements `lathe quantize`: quantizes a float network after training and writes it as ONNX.
#ifndef LATHE_DRIVER_CLI_VERB_QUANTIZE_H_
#define LATHE_DRIVER_CLI_VERB_QUANTIZE_H_

#include "generator/driver/options/verb.h"

namespace lathe::driver {

extern const Verb kVerbQuantize;

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_VERB_QUANTIZE_H_
