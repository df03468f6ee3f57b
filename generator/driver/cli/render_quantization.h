// Formats the report of `lathe quantize`: the layers with their ranges and signal-to-noise ratios.
#ifndef LATHE_DRIVER_CLI_RENDER_QUANTIZATION_H_
#define LATHE_DRIVER_CLI_RENDER_QUANTIZATION_H_

#include <string>

#include "generator/driver/quantize_network.h"

namespace lathe::driver {

std::string RenderQuantization(const QuantizeRequest& request, const QuantizeResult& result);
std::string RenderQuantizationAsJson(const QuantizeRequest& request, const QuantizeResult& result);

}  // namespace lathe::driver

#endif  // LATHE_DRIVER_CLI_RENDER_QUANTIZATION_H_
