// Builds the template data for the devices of a program.
#ifndef LATHE_EMIT_CUDA_DEVICE_VIEW_H_
#define LATHE_EMIT_CUDA_DEVICE_VIEW_H_

#include <cstdint>
#include <vector>

#include "generator/emit/c/model_names.h"
#include "generator/emit/cuda/place_constants.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// Returns an entry for each device: `number`, `name`, `is_host`, and `index`, the default CUDA
// device index. A program without declared devices has one entry, for the first GPU.
TemplateValue::List DeviceList(const ir::Program& program);

// Returns the bytes reserved at the start of each device's workspace: for the error flag of its
// kernels, and on the host also for the arguments of the next call of its stream, at most
// `given_bytes`. Returns one number if the program does not have several devices.
std::vector<int64_t> BytesBefore(const Model& model, int64_t given_bytes);

// Adds `placed` to `view`: whether there are several devices. If so, also adds the devices and the
// parts of the weights.
void AddDevices(const Model& model, const PlacedWeights& weights, TemplateValue::Dict& view);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_DEVICE_VIEW_H_
