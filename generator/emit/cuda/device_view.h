// Builds the part of the template data (text/template.h) that describes the devices of a program:
// the list of devices, and the reserved bytes at the start of each device's workspace.
#ifndef LATHE_EMIT_CUDA_DEVICE_VIEW_H_
#define LATHE_EMIT_CUDA_DEVICE_VIEW_H_

#include <cstdint>
#include <vector>

#include "generator/emit/c/model_names.h"
#include "generator/emit/cuda/place_constants.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// Returns a dictionary for each device, with the keys `number`, `name`, `is_host`, and `index`, the
// default CUDA device index. A program without declared devices has one entry, for GPU 0.
TemplateValue::List DeviceList(const ir::Program& program);

// Returns the number of bytes that are reserved at the start of each device's workspace: the error
// flag of its kernels and, on the host, at least `argument_bytes` for the arguments of an enqueued
// host call. Returns one number for a program with a single device.
std::vector<int64_t> BytesBefore(const Model& model, int64_t argument_bytes);

// Adds the condition `placed` to `view`, which is true if there are several devices. In this case,
// also adds the list of devices and the parts of the weights that each device stores.
void AddDevices(const Model& model, const PlacedWeights& weights, TemplateValue::Dict& view);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_DEVICE_VIEW_H_
