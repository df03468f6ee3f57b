// What the templates of CUDA read of a program for several devices.
#ifndef LATHE_EMIT_CUDA_DEVICE_VIEW_H_
#define LATHE_EMIT_CUDA_DEVICE_VIEW_H_

#include <cstdint>
#include <vector>

#include "generator/emit/c/model_names.h"
#include "generator/emit/cuda/place_constants.h"
#include "generator/emit/text/template.h"

namespace lathe::emit {

// What each device of a program is: its number, its name, whether it is the host, and which of
// CUDA's it is unless somebody says otherwise. Of a program for one GPU the first.
TemplateValue::List DeviceList(const ir::Program& program);

// What lies at the start of each device's workspace, before what steps use: where its kernels say
// that they failed, and, of the host, what the next call of its stream is given. One number where
// there is one device.
std::vector<int64_t> BytesBefore(const Model& model, int64_t given_bytes);

// Adds to the model's view `placed`, whether there are several devices, and then `devices`, what
// each is, and the parts of the weights.
void AddDevices(const Model& model, const PlacedWeights& weights, TemplateValue::Dict& view);

}  // namespace lathe::emit

#endif  // LATHE_EMIT_CUDA_DEVICE_VIEW_H_
